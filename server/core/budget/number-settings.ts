import type { Settings } from '@/server/contract/settings';
import type { NumberSettings } from './numbers';

/** The settings in force that numbers come from, as `planNumbers` takes them. */
export function toNumberSettings(settings: Pick<Settings, 'compaction' | 'carry_over' | 'tools'>): NumberSettings {
  return {
    preset: settings.compaction.preset,
    triggerRatio: settings.compaction.trigger_ratio,
    tailRatio: settings.compaction.tail_ratio,
    lowMarkRatio: settings.compaction.low_mark_ratio,
    carryBoundBytes: settings.carry_over.bound_bytes,
    resultCapBytes: settings.tools.result_cap_bytes,
  };
}
