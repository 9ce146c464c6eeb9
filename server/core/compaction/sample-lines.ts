/**
 * The built-in sample that *Test order* lets each summariser fold: ten questions and their answers about a small harbour
 * office, written by hand. It holds one of each thing a summary must carry: a rule, a decision that was changed, a
 * number, a path, a name, open work.
 */
export const SAMPLE_LINES: readonly (readonly [question: string, answer: string])[] = [
  [
    'We bill the berths of a small harbour. One rule first: invoices already sent are never changed, whatever we find later. Please keep to that.',
    'Understood: an invoice that was sent is never changed. A mistake in one is set right by a credit note and a new invoice, and both stay in the books.',
  ],
  [
    'Fees go by the length of the boat. Up to eight metres it is 14 euros a night, above that 22. Put that into src/fees.ts please.',
    'Done. src/fees.ts now holds nightlyFee(lengthMetres): 14 up to and including 8 metres, 22 above. A boat of exactly eight metres pays 14.',
  ],
  [
    'The print of the month runs on the last day at 23:30. The old server is slow then. Could it run in the morning?',
    'It could run on the first day at 06:00 for the month before. Nothing else uses the printer then. The job is named monthly-print in data/jobs.json.',
  ],
  [
    'Good, take the first day at 06:00.',
    'Changed: monthly-print in data/jobs.json runs on the first day of the month at 06:00 and prints the month that has ended.',
  ],
  [
    'Mrs Okafor at the office says 06:00 is too early, nobody is there to add paper. Make it 08:15 instead.',
    'Changed again: monthly-print runs at 08:15 on the first day. The time of 06:00 no longer holds anywhere; I searched for it.',
  ],
  [
    'Guests who stay ten nights get the tenth one free. How should that stand on the invoice?',
    'As a line of its own, "10th night free", with a negative amount, so that the sum is right and the guest sees why. I added a test in src/invoice.test.ts.',
  ],
  [
    'Does that test pass?',
    'Yes. All 41 tests pass, the new one among them. It bills a boat of nine metres for ten nights: 10 × 22 − 22 = 198 euros.',
  ],
  [
    'The tax office wants the number DE-4471-B on every invoice, at the foot.',
    'I added DE-4471-B to the foot in src/invoice.ts. Invoices already sent do not have it and stay as they are, by your first rule.',
  ],
  [
    'One thing is still open: the list of guests can only be exported as PDF. I need it as CSV too, for the town.',
    'I have not begun it. The export stands in src/guests/export.ts and knows one format; CSV would be a second one beside it, about thirty lines.',
  ],
  [
    'Then do that next, with a semicolon between the columns, as the town wants it.',
    'Next I will add the CSV export in src/guests/export.ts, with semicolons. I have not started yet; I will say when it is there.',
  ],
];
