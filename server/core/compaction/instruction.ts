import { SUMMARY_INSTRUCTION as say } from '@/server/core/prompt/wording';

export interface InstructionOptions {
  /** How the source reaches the model: as the conversation before the instruction, or serialised after it. */
  readonly form: 'prefix' | 'serialised';
  /** The summary cap in bytes: no longer text is accepted. */
  readonly capBytes: number;
  readonly focus: string | null;
  /** Setting `compaction.instructions`; blank: none. */
  readonly installation: string;
  /** Why the try before was rejected, or null on the first one. */
  readonly rejection: string | null;
}

/**
 * The instruction of a one-shot summary (`contract.md` 11). The first line is the fixed mark; the cap stands on a
 * line of its own, so that a rule-based model can read it. The reason of a rejection is named in plain words.
 */
export function writeSummaryInstruction(options: InstructionOptions): string {
  const parts = [
    say.firstLine,
    options.form === 'prefix' ? say.task : say.serialised,
    say.previous,
    say.headings.join('\n'),
    [say.language, say.data, say.stale, say.noTools, say.short, say.cap(options.capBytes), say.margin].join('\n'),
  ];
  if (options.focus !== null && options.focus.trim() !== '') parts.push(say.focus(options.focus.trim()));
  if (options.installation.trim() !== '') parts.push(say.installation(options.installation.trim()));
  if (options.rejection !== null) parts.push(say.rejected(explainRejection(options.rejection, options.capBytes)));
  return parts.join('\n\n');
}

/** A reason of the acceptance table as a sentence for the model that wrote the rejected text. */
export function explainRejection(reason: string, capBytes: number): string {
  const [name = '', detail = ''] = reason.split(/:(.*)/s);
  const sentences: Readonly<Record<string, string>> = {
    incomplete: `it did not end by itself (${detail}).`,
    empty: 'it was empty.',
    sections: `these headings were missing, doubled or without a line under them: ${detail}.`,
    tool_markup: 'it called a tool or held tool syntax.',
    not_smaller: 'it was not shorter than what it stands for.',
    too_long: `it was longer than ${capBytes} bytes.`,
    over_commit: 'it left too little room for the newest messages; write a shorter one.',
  };
  return sentences[name] ?? `${reason}.`;
}
