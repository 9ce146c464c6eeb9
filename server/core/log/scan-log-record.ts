import type { LogEvent } from '@/server/contract/events/event';
import type { DamageRange } from '@/server/core/projection/state-shape';

/** What a scan yields; byte ranges are half-open and without the newline. */
export type ScannedRecord =
  | { readonly kind: 'event'; readonly event: LogEvent; readonly from: number; readonly to: number }
  | { readonly kind: 'damage'; readonly range: DamageRange }
  | { readonly kind: 'torn'; readonly range: DamageRange };
