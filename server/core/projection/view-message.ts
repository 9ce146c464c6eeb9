/**
 * The provider-neutral request content: what `model-view` yields and every adapter translates.
 * Texts are final here (framed, marked, defused, contract 9); an adapter only changes roles, ids and
 * encodings as its target demands (contract 10). Nothing in it is ever written to the log.
 */

/** Opaque bytes a provider attached to a part (thinking signature, encrypted reasoning, item id). Sent back byte-identical to `provider` + `model`, or left out whole (G1). */
export interface ViewArtifact {
  readonly provider: string;
  readonly model: string;
  readonly kind: string;
  readonly data: unknown;
}

export interface ViewText {
  readonly type: 'text';
  readonly text: string;
}

/** An image by reference; its bytes come from the request's `imageData`. `item` is its item number, for the text that stands in for it. */
export interface ViewImage {
  readonly type: 'image';
  readonly sha256: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  readonly name: string;
  readonly item: number | null;
}

export interface ViewReasoning {
  readonly type: 'reasoning';
  readonly text: string;
  readonly artifacts: readonly ViewArtifact[];
}

/** `args` is always a JSON object; a model that sent something else has it wrapped by the projection as `{"value": …}`. */
export interface ViewToolCall {
  readonly type: 'tool_call';
  readonly callId: string;
  readonly name: string;
  readonly args: unknown;
  readonly artifacts: readonly ViewArtifact[];
}

export interface ViewToolResult {
  readonly callId: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
}

export interface ViewUserMessage {
  readonly role: 'user';
  readonly parts: readonly (ViewText | ViewImage)[];
}

/** `artifacts` on the text part carry an OpenAI message item id; absent means none. */
export interface ViewAssistantMessage {
  readonly role: 'assistant';
  readonly parts: readonly (
    | (ViewText & { readonly artifacts?: readonly ViewArtifact[] })
    | ViewReasoning
    | ViewToolCall
  )[];
}

/** All results of one batch, in the order of the calls in the assistant message before it. */
export interface ViewToolMessage {
  readonly role: 'tool';
  readonly results: readonly ViewToolResult[];
}

export type ViewMessage = ViewUserMessage | ViewAssistantMessage | ViewToolMessage;

/** A tool as the model sees it; `inputSchema` is JSON Schema of an object. Kept with the prompt exactly as sent (contract 15). */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}
