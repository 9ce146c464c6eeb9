/** The words of a composer on this device: there at once after a reload, a switch or an expired login (case-E05). */
export interface StoredDraft {
  readonly text: string;
  /** Milliseconds, to judge against the server's copy. */
  readonly at: number;
  /** On their way, or waiting for the network: if the page goes before they arrive, their words come back. */
  readonly sending: readonly { readonly text: string; readonly clientMessageId: string }[];
}

const keyOf = (draftKey: string) => `tidemark_draft:${draftKey}`;

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function toSending(value: unknown): StoredDraft['sending'] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) =>
    isRecord(one) && typeof one.text === 'string' && typeof one.clientMessageId === 'string'
      ? [{ text: one.text, clientMessageId: one.clientMessageId }]
      : [],
  );
}

/** Null where nothing is kept, where it does not parse, and where storage is forbidden. */
export function readDraft(store: Store, draftKey: string): StoredDraft | null {
  try {
    const value: unknown = JSON.parse(store.getItem(keyOf(draftKey)) ?? 'null');
    if (!isRecord(value) || typeof value.text !== 'string' || typeof value.at !== 'number') return null;
    return { text: value.text, at: value.at, sending: toSending(value.sending) };
  } catch {
    return null;
  }
}

export function writeDraft(store: Store, draftKey: string, draft: StoredDraft): void {
  try {
    if (draft.text === '' && draft.sending.length === 0) store.removeItem(keyOf(draftKey));
    else store.setItem(keyOf(draftKey), JSON.stringify(draft));
  } catch {
    // Full or forbidden storage: the text is still in the field and on its way to the server.
  }
}

/** What a composer begins with: the newer of the two copies; words that never arrived come back. */
export function pickDraft(
  local: StoredDraft | null,
  server: { readonly text: string; readonly updatedAt: string | null } | null,
): string {
  const unsent = local?.sending.map((one) => one.text) ?? [];
  const own = [...unsent, local?.text ?? ''].filter(Boolean).join('\n\n');
  if (!server || server.text === '' || server.updatedAt === null) return own;
  return own === '' || Date.parse(server.updatedAt) > (local?.at ?? 0) ? server.text : own;
}
