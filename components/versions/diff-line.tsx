import { classNames } from '../ui/class-names';
import type { DiffPair } from './diff-pairs';
import type { DiffRow } from './diff-rows';

type LineRow = DiffRow & { readonly row: 'line' };

const signs = { same: '', added: '+', removed: '−' } as const;
const words = { same: '', added: 'added: ', removed: 'removed: ' } as const;
const washes = { same: '', added: 'bg-ok-wash', removed: 'bg-danger-wash' } as const;
const marks = { same: '', added: 'bg-word-added', removed: 'bg-word-removed' } as const;
const tones = { same: '', added: 'text-ok', removed: 'text-danger' } as const;

const numberClass =
  'numbers w-11 pr-3.5 text-right align-top font-live text-small leading-[1.3125rem] text-ink-3 select-none';

/** Sign and text of a line; what happened to it is said by a word too, not by colour alone. */
function LineCells({ line, wash }: { readonly line: LineRow | null; readonly wash?: boolean }) {
  if (line === null) return <td colSpan={2} className="bg-sunken" />;
  const { kind } = line;
  return (
    <>
      <td
        aria-hidden
        className={classNames('w-5 text-center align-top select-none', tones[kind], wash && washes[kind])}
      >
        {signs[kind]}
      </td>
      <td className={classNames('pr-6 align-top break-words whitespace-pre-wrap', wash && washes[kind])}>
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
    </>
  );
}

export function UnifiedLine({ line }: { readonly line: LineRow }) {
  return (
    <tr
      data-change={line.begins ? '' : undefined}
      tabIndex={line.begins ? -1 : undefined}
      className={classNames(washes[line.kind], 'focus-visible:-outline-offset-2')}
    >
      <td className={classNames(numberClass, 'max-rail:hidden')}>{line.before}</td>
      <td className={numberClass}>{line.after}</td>
      <LineCells line={line} />
    </tr>
  );
}

export function SideBySideLine({ pair }: { readonly pair: DiffPair }) {
  const { before, after } = pair;
  const begins = before?.begins || after?.begins;
  return (
    <tr
      data-change={begins ? '' : undefined}
      tabIndex={begins ? -1 : undefined}
      className="focus-visible:-outline-offset-2"
    >
      <td className={numberClass}>{before?.before}</td>
      <LineCells line={before} wash />
      <td className={classNames(numberClass, 'border-l border-line')}>{after?.after}</td>
      <LineCells line={after} wash />
    </tr>
  );
}
