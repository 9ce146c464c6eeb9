import type { ReactNode } from 'react';

export const STITCHES = 8;

/**
 * The stitched edge of a fold and the card below it. Heather, so for compaction alone.
 * `earned` of the eight stitches are filled, the others pale; all eight when it is left out.
 */
export function FoldEdge({ earned = STITCHES }: { readonly earned?: number }) {
  return (
    <div aria-hidden className="fold-edge">
      {earned < STITCHES ? <div className="fold-stitches" data-pale="" /> : null}
      <div className="fold-stitches" data-earned={Math.max(0, Math.min(STITCHES, earned))} />
    </div>
  );
}

export function FoldSheet({ earned, children }: { readonly earned?: number; readonly children: ReactNode }) {
  return (
    <div>
      <FoldEdge earned={earned} />
      <div className="fold-card">{children}</div>
    </div>
  );
}
