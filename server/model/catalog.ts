import type { ModelCatalog } from '@/server/ports/model-catalog';
import { discoverLocal } from './discover-local';
import type { FetchLike } from './guarded-fetch';
import { listModels } from './list-models';
import { offerKeys } from './offer-keys';
import type { StartTimer } from './stall-guard';

/** The catalogue over real HTTP; `embedded` providers are asked in process. */
export function createCatalog(deps: {
  readonly fetch: FetchLike;
  readonly embeddedFetch: FetchLike;
  readonly startTimer: StartTimer;
  readonly nowMs: () => number;
}): ModelCatalog {
  return {
    list: (candidate, signal) =>
      listModels(candidate, {
        fetch: candidate.kind === 'embedded' ? deps.embeddedFetch : deps.fetch,
        signal,
        nowMs: deps.nowMs(),
      }),
    discoverLocal: (signal) => discoverLocal({ fetch: deps.fetch, startTimer: deps.startTimer, signal }),
    offerKeys,
  };
}
