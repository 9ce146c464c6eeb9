import type { ReactNode } from 'react';
import type { TextMatch } from './combobox-match';

/** A text with its matched letters bold. Bold alone: the words stay whole for screen readers. */
export function MatchedText({ text, bold }: { readonly text: string; readonly bold: TextMatch['bold'] }) {
  const pieces: ReactNode[] = [];
  let at = 0;
  for (const range of bold) {
    if (range.from > at) pieces.push(text.slice(at, range.from));
    pieces.push(
      <b key={range.from} className="font-[750]">
        {text.slice(range.from, range.to)}
      </b>,
    );
    at = range.to;
  }
  pieces.push(text.slice(at));
  return <>{pieces}</>;
}
