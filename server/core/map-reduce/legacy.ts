import type { CompactionCommand } from '@/server/core/compaction/step-job';
import type { NewEvent } from '@/server/core/log/new-event';
import type { Staging } from './staging';

const TEXT =
  'An earlier attempt to summarise this conversation was kept in an older form. Its text is not used; the summary is made anew from the conversation itself.';

/**
 * The answer to staging of older versions (R5): one line for each that voids it, and a toast. Its text is never used, nor
 * are its lines changed; the source is read anew. Nothing where no such staging stands.
 */
export function answerLegacy(
  { legacy }: Pick<Staging, 'legacy'>,
  compactionId: string,
): { readonly events: readonly NewEvent[]; readonly notices: readonly CompactionCommand[] } {
  const events = [...legacy].map(
    (version): NewEvent => ({
      type: 'staging.invalidated',
      compactionId,
      version: version === 'unversioned' ? null : version,
      reason: 'old_version',
    }),
  );
  return { events, notices: events.length === 0 ? [] : [{ do: 'notice', code: 'staging_rebuilt', text: TEXT }] };
}
