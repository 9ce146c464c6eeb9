import type { DiffField, DiffLine } from '@/server/contract/versions';

const labels: Readonly<Record<string, string>> = {
  name: 'Name',
  purpose: 'Purpose',
  description: 'Description',
  openers: 'Openers',
  instructions: 'Instructions',
  skills: 'Skills',
  tools: 'Tools',
  model: 'Model',
  fallbacks: 'Fallback models',
  settings: 'Settings',
  command: 'Command',
};

/** The heading of a field; a nested one (`settings.approvals`) by its last words. */
export function labelOfField(field: string): string {
  const known = labels[field];
  if (known) return known;
  const words = field.replace(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Every kind of field as lines, so nothing that differs can be missing from the picture (ux 11). */
export function linesOfField(field: DiffField): readonly DiffLine[] {
  if (field.kind === 'text') return field.lines;
  if (field.kind === 'value') {
    return [
      ...(field.before === null ? [] : [{ kind: 'removed' as const, text: field.before }]),
      ...(field.after === null ? [] : [{ kind: 'added' as const, text: field.after }]),
    ];
  }
  return [
    ...field.removed.map((text) => ({ kind: 'removed' as const, text })),
    ...field.added.map((text) => ({ kind: 'added' as const, text })),
    ...(field.reordered ? [{ kind: 'added' as const, text: 'The order is another one.' }] : []),
  ];
}
