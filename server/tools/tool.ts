import { z } from 'zod';
import type { FieldsOf } from '@/server/contract/events/event';
import type { ToolSchema } from '@/server/contract/events/view-events';
import type { Part } from '@/server/contract/shapes';
import type { NewEvent } from '@/server/core/log/new-event';
import type { SessionState } from '@/server/core/projection/state-shape';
import type { Workspace } from '@/server/ports/workspace';

export type Observed = FieldsOf<'tool.result'>['observed'];

/** What a tool may see. `state` is the session as it stood when the batch began, the calling message included. */
export interface ToolContext {
  readonly state: SessionState;
  readonly callId: string;
  readonly workspace: Workspace | null;
  /** Bytes a `recall` may answer with; never above the result cap, so that what is read back is not cut again. */
  readonly recallCapBytes: number;
  readonly signal: AbortSignal;
}

/** What became of a call. Events are appended just before its result, so that they belong to it (`contract.md` 2). */
export interface ToolOutcome {
  readonly parts: readonly Part[];
  readonly isError: boolean;
  readonly why: 'ran' | 'invalid_arguments';
  readonly observed: Observed;
  readonly events: readonly NewEvent[];
}

export interface Tool {
  readonly schema: ToolSchema;
  /** Whether a person is asked first, unless the agent's settings say otherwise (T2). */
  readonly approval: 'allow' | 'ask';
  /** It changes something outside the log: `tool.started` is written before it runs. */
  readonly effects: boolean;
  /** Never throws for bad arguments or a refused call: that is a result with `isError` (T3). */
  run(args: unknown, context: ToolContext): Promise<ToolOutcome>;
}

interface ToolDefinition<S extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly args: S;
  readonly run: (args: z.output<S>, context: ToolContext) => ToolOutcome | Promise<ToolOutcome>;
}

/** A reading tool: free of asking and without effects. Unknown or missing arguments get an error that names them. */
export function defineTool<S extends z.ZodObject>({ name, description, args, run }: ToolDefinition<S>): Tool {
  const { $schema: _dialect, ...inputSchema } = z.toJSONSchema(args, { io: 'input' });
  return {
    schema: { name, description, inputSchema },
    approval: 'allow',
    effects: false,
    async run(given, context) {
      const parsed = args.safeParse(given);
      return parsed.success ? run(parsed.data, context) : refuseArguments(name, parsed.error);
    },
  };
}

/** A result that went well. */
export function answer(text: string, more: Partial<Pick<ToolOutcome, 'observed' | 'events'>> = {}): ToolOutcome {
  return { parts: [{ type: 'text', text }], isError: false, why: 'ran', observed: [], events: [], ...more };
}

/** A refusal or failure, as a result the model can read and act on. */
export function fail(text: string): ToolOutcome {
  return { parts: [{ type: 'text', text }], isError: true, why: 'ran', observed: [], events: [] };
}

function refuseArguments(name: string, error: z.ZodError): ToolOutcome {
  const problems = error.issues
    .slice(0, 5)
    .map((issue) =>
      issue.path.length === 0 ? issue.message : `${issue.path.map(String).join('.')}: ${issue.message}`,
    );
  const text = `${name} was called with arguments it does not take. ${problems.join('; ')}.`;
  return { ...fail(text), why: 'invalid_arguments' };
}
