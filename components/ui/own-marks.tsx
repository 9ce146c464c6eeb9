import type { SVGProps } from 'react';

type MarkProps = Omit<SVGProps<SVGSVGElement>, 'children'>;

/** A line with three slanted stitches: the word mark in ink, the fold glyph in heather. */
export function StitchMark(props: MarkProps) {
  return (
    <svg aria-hidden="true" width="22" height="11" viewBox="0 0 22 11" fill="none" strokeLinecap="round" {...props}>
      <path d="M1 5.5h20" stroke="currentColor" strokeWidth="1.75" />
      <path d="M5.6 10 8.9 1m-.4 9 3.3-9m-.4 9 3.3-9" stroke="currentColor" strokeWidth="1.75" />
    </svg>
  );
}

/** Two bars, the lower one set off: this conversation is behind its agent. */
export function BehindMark(props: MarkProps) {
  return (
    <svg aria-hidden="true" width="16" height="12" viewBox="0 0 16 12" fill="none" strokeWidth="1.5" {...props}>
      <rect x="0.75" y="0.95" width="10.5" height="3.5" rx="1.2" stroke="currentColor" />
      <rect x="4.75" y="6.95" width="10.5" height="3.5" rx="1.2" stroke="currentColor" />
    </svg>
  );
}
