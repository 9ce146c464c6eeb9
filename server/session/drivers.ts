import type { CreateProvider } from '@/server/contract/provider';
import type { CompactionPolicy } from '@/server/core/compaction/policy';
import type { FetchLike } from '@/server/model/guarded-fetch';
import type { StartTimer } from '@/server/model/stall-guard';
import type { Clock, Ids } from '@/server/ports/clock';
import type { EventBus } from '@/server/ports/event-bus';
import type { ImportDesk } from '@/server/ports/import-desk';
import type { JobStore } from '@/server/ports/job-store';
import type { LogSide } from '@/server/ports/log-side';
import type { ModelCatalog } from '@/server/ports/model-catalog';
import type { SearchIndex } from '@/server/ports/search-index';
import type { SessionIndex } from '@/server/ports/session-index';
import type { SessionLog } from '@/server/ports/session-log';
import type {
  DismissalStore,
  DocumentStore,
  DraftStore,
  LeftoverStore,
  ModelFactStore,
  ProviderStore,
  RunningPartStore,
  SettingsStore,
} from '@/server/ports/stores';
import type { Workspace } from '@/server/ports/workspace';

/** Everything the application is handed: drivers, time, chance and the outside world. */
export interface Drivers {
  readonly sessionLog: SessionLog;
  /** Writes logs where `sessionLog` finds them. */
  readonly importDesk: ImportDesk;
  /** What is kept beside the logs; without it each is replayed whenever it is opened. */
  readonly side?: LogSide | null;
  readonly index: SessionIndex;
  readonly search: SearchIndex;
  readonly jobs: JobStore;
  readonly documents: DocumentStore;
  readonly settings: SettingsStore;
  readonly providers: ProviderStore;
  readonly facts: ModelFactStore;
  readonly running: RunningPartStore;
  readonly drafts: DraftStore;
  readonly dismissals: DismissalStore;
  readonly leftovers: LeftoverStore;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly elapsedMs: () => number;
  readonly jitter: () => number;
  readonly startTimer: StartTimer;
  readonly fetch: FetchLike;
  readonly embeddedFetch: FetchLike;
  readonly catalog: ModelCatalog;
  readonly workspace: Workspace;
  readonly readSample: () => Uint8Array;
  readonly secret: string;
  /** How summaries are asked for; the product's own but in a test (E2). */
  readonly policy: CompactionPolicy;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly envProviders: readonly CreateProvider[];
  readonly version: string;
  /** Bytes that may still be written to the disk of the logs; absent or null: nobody knows. */
  readonly freeBytes?: () => number | null;
  /** What a person must know of how the database was opened; null or absent: nothing. */
  readonly storeNotice?: string | null;
  /** Session states are frozen through and through: in tests and development, so that whoever writes to one falls at once. */
  readonly freezeStates: boolean;
  readonly report: (line: string) => void;
}
