import { z } from 'zod';
import { AppError } from '@/server/contract/error';
import { foundKindSchema } from '@/server/contract/search';
import type { SearchIndex } from '@/server/ports/search-index';
import { runSearchCall, type SearchCall } from './search-calls';
import { openSearchTables } from './search-tables';

/** A call without its number. */
export type SearchAsk = SearchCall extends infer C ? (C extends SearchCall ? Omit<C, 'id'> : never) : never;

/** Carries out calls one after another, in the order they are given. */
export type AskTables = (ask: SearchAsk) => Promise<unknown>;

const ids = z.array(z.string());
const matches = z.array(
  z.object({
    sessionId: z.string(),
    itemId: z.string().nullable(),
    point: z.number(),
    kind: foundKindSchema,
    at: z.string(),
    snippet: z.string(),
    left: z.number(),
  }),
);
const sizes = z.map(z.string(), z.number());

/**
 * The port over tables that are somewhere else. A change that fails is reported at once and remembered: sizes are not
 * noted then, so that the next start reads the logs again.
 */
export function createSearchIndex(ask: AskTables, report: (line: string) => void): SearchIndex {
  let lost: unknown = null;
  const change = (call: SearchAsk) => {
    ask(call).catch((error: unknown) => {
      lost = error;
      report(`full-text search fell behind: ${error instanceof Error ? error.message : String(error)}`);
    });
  };
  return {
    add: (entry) => change({ name: 'add', args: [entry] }),
    remove: (sessionId) => change({ name: 'remove', args: [sessionId] }),
    forgetLog: (logId) => change({ name: 'forgetLog', args: [logId] }),
    clear: () => change({ name: 'clear', args: [] }),
    find: async (query) => ids.parse(await ask({ name: 'find', args: [query] })),
    matches: async (query, wanted) => matches.parse(await ask({ name: 'matches', args: [query, wanted] })),
    notedSizes: async () => sizes.parse(await ask({ name: 'notedSizes', args: [] })),
    noteSizes: async (noted) => {
      // A question first: every change before it has been answered by then.
      await ask({ name: 'notedSizes', args: [] });
      if (lost !== null) throw new AppError('storage_failed', 'Full-text search has not all texts.', { cause: lost });
      await ask({ name: 'noteSizes', args: [noted] });
    },
    close: async () => {
      await ask({ name: 'close', args: [] });
    },
  };
}

/** In this process and in memory, for tests of everything above the port. */
export function openMemorySearch(report: (line: string) => void = () => undefined): SearchIndex {
  const tables = openSearchTables(':memory:');
  return createSearchIndex(async (ask) => runSearchCall(tables, { ...ask, id: 0 }), report);
}
