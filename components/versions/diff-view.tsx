'use client';

import { ChevronsUpDown } from 'lucide-react';
import { useRef, useState } from 'react';
import type { DiffLine } from '@/server/contract/versions';
import { KeyCaps } from '../ui/key-caps';
import { useCommand, useKeyboard } from '../ui/keyboard-provider';
import { SideBySideLine, UnifiedLine } from './diff-line';
import { toDiffPairs } from './diff-pairs';
import { type DiffRow, toDiffRows } from './diff-rows';

type LineRow = DiffRow & { readonly row: 'line' };

export type DiffLayout = 'unified' | 'sides';

export type DiffViewProps = {
  readonly lines: readonly DiffLine[];
  readonly label: string;
  readonly layout?: DiffLayout;
};

/** Neighbouring lines as one piece, each fold between them as its own: a pair never reaches across a fold. */
function toPieces(rows: readonly DiffRow[], opened: ReadonlySet<number>) {
  const pieces: ((DiffRow & { readonly row: 'folded' }) | readonly LineRow[])[] = [];
  let run: LineRow[] = [];
  for (const row of rows) {
    if (row.row === 'line') run.push(row);
    else if (opened.has(row.key)) run.push(...row.lines);
    else {
      pieces.push(run, row);
      run = [];
    }
  }
  return [...pieces, run];
}

function drawLines(lines: readonly LineRow[], layout: DiffLayout) {
  if (layout === 'unified')
    return lines.map((line) => <UnifiedLine key={`${line.before}/${line.after}`} line={line} />);
  return toDiffPairs(lines).map((pair) => (
    <SideBySideLine key={`${pair.before?.before}/${pair.after?.after}`} pair={pair} />
  ));
}

/**
 * A line diff with word marks, unified or side by side. Long unchanged runs are folded; N and Shift+N go from change to
 * change, also while a dialog is open around it.
 */
export function DiffView({ lines, label, layout = 'unified' }: DiffViewProps) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const table = useRef<HTMLTableElement>(null);
  const go = (step: 1 | -1) => {
    const stops = [...(table.current?.querySelectorAll<HTMLElement>('[data-change]') ?? [])];
    const active = document.activeElement;
    const at = active instanceof HTMLElement ? stops.indexOf(active) : -1;
    const next = stops[at === -1 && step === -1 ? stops.length - 1 : (at + step + stops.length) % stops.length];
    next?.scrollIntoView({ block: 'center' });
    next?.focus({ preventScroll: true });
  };
  useCommand('nextChange', () => go(1), { inDialog: true });
  useCommand('previousChange', () => go(-1), { inDialog: true });
  return (
    <table ref={table} aria-label={label} className="w-full border-collapse font-machine text-mono">
      <tbody>
        {toPieces(toDiffRows(lines), opened).map((piece) =>
          'row' in piece ? (
            <FoldedLines
              key={`folded ${piece.key}`}
              count={piece.lines.length}
              columns={layout === 'unified' ? 4 : 6}
              onOpen={() => setOpened(new Set([...opened, piece.key]))}
            />
          ) : (
            drawLines(piece, layout)
          ),
        )}
      </tbody>
    </table>
  );
}

type FoldedLinesProps = { readonly count: number; readonly columns: number; readonly onOpen: () => void };

function FoldedLines({ count, columns, onOpen }: FoldedLinesProps) {
  return (
    <tr className="bg-sunken">
      <td colSpan={columns}>
        <button
          type="button"
          className="flex min-h-8 w-full items-center gap-2.5 pl-24 text-left font-live text-small text-ink-2 hover:text-ink focus-visible:-outline-offset-2 max-rail:pl-5"
          onClick={onOpen}
        >
          <ChevronsUpDown aria-hidden size={14} strokeWidth={1.75} />
          {count} unchanged lines
        </button>
      </td>
    </tr>
  );
}

/** The foot of a dialog that shows a diff. */
export function NextChangeHint() {
  const { keysOf } = useKeyboard();
  const key = keysOf('nextChange')[0];
  return key ? (
    <span className="mr-auto flex items-center gap-2 pl-2 text-small text-ink-2 max-rail:hidden">
      <KeyCaps chord={key} /> next change
    </span>
  ) : null;
}
