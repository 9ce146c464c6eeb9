import { z } from 'zod';
import { sessionSummarySchema } from './session';
import { nameText } from './text';

/** Bringing conversations in and taking them out. */

/** Streamed, exact or refused: an import is never cut short (api.md, limits). */
export const maxImportBytes = 2_000_000_000;
export const maxAttachmentBytes = 25_000_000;

export const importFormatSchema = z.enum(['auto', 'tidemark', 'claude-code']);

export const importQuerySchema = z.strictObject({
  format: importFormatSchema.default('auto'),
  /** The file's name, for a raw body; shown as where the conversation came from. */
  name: nameText(1_024).optional(),
});

/** Something the file held that was not taken as it was; `line` counts from 1 where lines are meant. */
export const importWarningSchema = z.object({
  code: z.string(),
  message: z.string(),
  line: z.number().int().min(1).nullable(),
  count: z.number().int().min(1),
});

export const importAnswerSchema = z.object({
  sessions: z.array(sessionSummarySchema),
  format: z.string(),
  warnings: z.array(importWarningSchema),
});

export const exportQuerySchema = z.strictObject({
  format: z.enum(['jsonl', 'markdown', 'openai', 'anthropic']).default('jsonl'),
});

/** The bundled sample conversation, opened as one of the person's own; a second call opens a second copy. */
export const sampleAnswerSchema = z.object({ session: sessionSummarySchema });

export type ImportQuery = z.infer<typeof importQuerySchema>;
export type ImportWarning = z.infer<typeof importWarningSchema>;
export type ImportAnswer = z.infer<typeof importAnswerSchema>;
export type ExportQuery = z.infer<typeof exportQuerySchema>;
