/** What the process of `log-child.ts` is asked, and what it tells. */
export type Asked =
  | { readonly ask: 'create' | 'flood'; readonly logId: string }
  | { readonly ask: 'append'; readonly logId: string; readonly words: number };

export type Told =
  | { readonly told: 'ready' }
  | { readonly told: 'acknowledged'; readonly ids: readonly string[]; readonly seqs: readonly number[] }
  | { readonly told: 'refused'; readonly code: string; readonly message: string; readonly afterMs: number };
