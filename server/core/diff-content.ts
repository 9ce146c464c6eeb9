import { diffLines } from 'diff';
import type { DiffField, DiffLine } from '@/server/contract/versions';

type Content = Readonly<Record<string, unknown>>;

/** Texts of more lines than this are compared as a whole: nobody reads such a difference line by line. */
const MAX_LINES = 20_000;

/**
 * Every field in which two contents differ, so that a difference that looks empty hides nothing (`ux.md` 11).
 * Strings named in `texts` come line by line, lists as what came and went, all else as two values.
 */
export function diffContent(before: Content, after: Content, texts: readonly string[]): readonly DiffField[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((field) => diffField(field, before[field], after[field], texts.includes(field)));
}

function diffField(field: string, before: unknown, after: unknown, asText: boolean): readonly DiffField[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (asText) return [{ kind: 'text', field, lines: diffText(textOf(before), textOf(after)) }];
  if (Array.isArray(before) && Array.isArray(after)) return [diffList(field, before, after)];
  return [{ kind: 'value', field, before: shown(before), after: shown(after) }];
}

function diffList(field: string, before: readonly unknown[], after: readonly unknown[]): DiffField {
  const was = before.map(textOf);
  const is = after.map(textOf);
  const removed = was.filter((entry) => !is.includes(entry));
  const added = is.filter((entry) => !was.includes(entry));
  const kept = (list: readonly string[], other: readonly string[]) => list.filter((entry) => other.includes(entry));
  return { kind: 'list', field, removed, added, reordered: kept(was, is).join('\n') !== kept(is, was).join('\n') };
}

function diffText(before: string, after: string): DiffLine[] {
  const lines = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
  if (lines(before).length + lines(after).length > MAX_LINES) {
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ];
  }
  return diffLines(before, after).flatMap((part) => {
    const kind = part.added ? 'added' : part.removed ? 'removed' : 'same';
    return lines(part.value).map((text): DiffLine => ({ kind, text }));
  });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
const shown = (value: unknown): string | null => (value === undefined || value === null ? null : textOf(value));
