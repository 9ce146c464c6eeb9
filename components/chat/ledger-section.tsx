import type { ReactNode } from 'react';

type LedgerSectionProps = {
  readonly label: string;
  readonly note?: ReactNode;
  readonly tone?: 'warn';
  readonly children: ReactNode;
};

/** One row of an open card: its label and note at the left, what it says at the right. */
export function LedgerSection({ label, note, tone, children }: LedgerSectionProps) {
  return (
    <section className="ledger-row">
      <div>
        <h4 className={tone === 'warn' ? 'title-3 text-warn' : 'title-3'}>{label}</h4>
        {note ? <div className="numbers text-small text-ink-3">{note}</div> : null}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}
