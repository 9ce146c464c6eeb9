import type { ToolSchema } from '@/server/contract/events/view-events';
import type { ModelView } from './model-view-shape';
import type { ViewMessage } from './view-message';

/** The pieces of a neutral request that the view decides; model, ceiling and image data are the caller's. */
export interface ViewRequest {
  readonly system: string;
  readonly tools: readonly ToolSchema[];
  readonly entries: readonly ViewMessage[];
  /** The measure of the whole request, in bytes. */
  readonly measureBytes: number;
  readonly turnFrom: number | null;
  /** Index of the last entry before the plan block: what stays the same in the next request (cache mark). */
  readonly cacheAfter: number | null;
  /** The model is to answer without calling a tool; absent: it may call. `tools` are what the entries were made with. */
  readonly toolChoice?: 'none';
}

/** The request that sends a view as it is. */
export function toRequest(view: ModelView): ViewRequest {
  const beforePlan = view.plan?.place === 'inside' ? view.body.length - 2 : view.body.length - 1;
  return {
    system: view.system,
    tools: view.tools,
    entries: view.entries.map((entry) => entry.message),
    measureBytes: view.bytes,
    turnFrom: view.turnFrom,
    cacheAfter: beforePlan < 0 ? null : beforePlan,
  };
}
