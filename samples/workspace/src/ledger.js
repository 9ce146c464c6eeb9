// The ledger: pure functions over rows. Amounts are whole cents.

/** What is still owed on an invoice, in cents; negative when too much was paid. */
export function openAmount(invoice, allocations) {
  const paid = allocations
    .filter((allocation) => allocation.invoiceId === invoice.id)
    .reduce((sum, allocation) => sum + allocation.amountCents, 0);
  return invoice.amountCents - paid;
}

/**
 * Spreads a payment over open invoices, oldest first. What is left over stays unallocated and is
 * shown on the statement as credit.
 */
export function allocate(payment, invoices, allocations) {
  let left = payment.amountCents;
  const made = [];
  for (const invoice of [...invoices].sort((a, b) => a.month.localeCompare(b.month))) {
    const open = openAmount(invoice, [...allocations, ...made]);
    const amountCents = Math.min(open, left);
    if (amountCents <= 0) continue;
    made.push({ paymentId: payment.id, invoiceId: invoice.id, amountCents });
    left -= amountCents;
  }
  return { made, creditCents: left };
}
