'use client';

import { ChevronsUpDown } from 'lucide-react';
import { useRef, useState } from 'react';
import type { DiffLine } from '@/server/contract/versions';
import { classNames } from '../ui/class-names';
import { KeyCaps } from '../ui/key-caps';
import { useCommand, useKeyboard } from '../ui/keyboard-provider';
import { type DiffRow, toDiffRows } from './diff-rows';

type LineRow = DiffRow & { readonly row: 'line' };

const signs = { same: '', added: '+', removed: '−' } as const;
const words = { same: '', added: 'added: ', removed: 'removed: ' } as const;
const washes = { same: '', added: 'bg-ok-wash', removed: 'bg-danger-wash' } as const;
const marks = { same: '', added: 'bg-word-added', removed: 'bg-word-removed' } as const;
const tones = { same: '', added: 'text-ok', removed: 'text-danger' } as const;

/**
 * A unified line diff with word marks. What was added and removed is said by sign and word, not by colour alone; long
 * unchanged runs are folded; N and Shift+N go from change to change.
 */
export function DiffView({ lines, label }: { readonly lines: readonly DiffLine[]; readonly label: string }) {
  const rows = toDiffRows(lines);
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
        {rows.flatMap((row) => {
          if (row.row === 'line') return [<DiffLineRow key={`${row.before}/${row.after}`} line={row} />];
          if (opened.has(row.key))
            return row.lines.map((line) => <DiffLineRow key={`${line.before}/${line.after}`} line={line} />);
          return [
            <tr key={`folded ${row.key}`} className="bg-sunken">
              <td colSpan={4}>
                <button
                  type="button"
                  className="flex min-h-8 w-full items-center gap-2.5 pl-24 text-left font-live text-small text-ink-2 hover:text-ink focus-visible:-outline-offset-2 max-rail:pl-5"
                  onClick={() => setOpened(new Set([...opened, row.key]))}
                >
                  <ChevronsUpDown aria-hidden size={14} strokeWidth={1.75} />
                  {row.lines.length} unchanged lines
                </button>
              </td>
            </tr>,
          ];
        })}
      </tbody>
    </table>
  );
}

function DiffLineRow({ line }: { readonly line: LineRow }) {
  const { kind, begins } = line;
  const number =
    'numbers w-11 pr-3.5 text-right align-top font-live text-small leading-[1.3125rem] text-ink-3 select-none';
  return (
    <tr
      data-change={begins ? '' : undefined}
      tabIndex={begins ? -1 : undefined}
      className={classNames(washes[kind], 'focus-visible:-outline-offset-2')}
    >
      <td className={classNames(number, 'max-rail:hidden')}>{line.before}</td>
      <td className={number}>{line.after}</td>
      <td aria-hidden className={classNames('w-5 text-center align-top select-none', tones[kind])}>
        {signs[kind]}
      </td>
      <td className="pr-6 break-words whitespace-pre-wrap">
        {kind === 'same' ? null : <span className="sr-only">{words[kind]}</span>}
        {/* biome-ignore-start lint/suspicious/noArrayIndexKey: the words of a line never move. */}
        {line.words.map((word, index) =>
          word.changed && word.text.trim() !== '' ? (
            <span key={index} className={classNames('rounded-tag px-px', marks[kind])}>
              {word.text}
            </span>
          ) : (
            <span key={index}>{word.text}</span>
          ),
        )}
        {/* biome-ignore-end lint/suspicious/noArrayIndexKey: only here. */}
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
