// Moves `payments.invoice_id` into `allocations`, in batches, so that no lock is held for long.
const BATCH = 2000;
const LOCK_TIMEOUT_MS = 3000;
const PAUSE_LAG_SECONDS = 4;

export async function backfill(db, { batch = BATCH, isPaused, log }) {
  await db.run(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
  let last = await db.value('select coalesce(max(payment_id), 0) from allocations');
  for (;;) {
    if ((await db.value('select lag_seconds from report_copy')) > PAUSE_LAG_SECONDS || isPaused()) {
      log('waiting');
      await db.wait(10_000);
      continue;
    }
    const moved = await db.run(
      `insert into allocations (payment_id, invoice_id, amount_cents)
       select id, invoice_id, amount_cents from payments
       where id > $1 and invoice_id is not null order by id limit $2`,
      [last, batch],
    );
    if (moved === 0) return log('done');
    last += moved;
    log(`moved up to payment ${last}`);
  }
}
