import type { SearchTables } from './search-tables';

/** What the thread of full-text search is asked, one message each, and what it answers. */
export type SearchCall = {
  readonly [Name in keyof SearchTables]: {
    readonly id: number;
    readonly name: Name;
    readonly args: Parameters<SearchTables[Name]>;
  };
}[keyof SearchTables];

export type SearchAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly why: string };

/** Carries out one call. */
export function runSearchCall(tables: SearchTables, call: SearchCall): unknown {
  switch (call.name) {
    case 'add':
      return tables.add(...call.args);
    case 'remove':
      return tables.remove(...call.args);
    case 'forgetLog':
      return tables.forgetLog(...call.args);
    case 'clear':
      return tables.clear();
    case 'find':
      return tables.find(...call.args);
    case 'matches':
      return tables.matches(...call.args);
    case 'notedSizes':
      return tables.notedSizes();
    case 'noteSizes':
      return tables.noteSizes(...call.args);
    case 'close':
      return tables.close();
  }
}
