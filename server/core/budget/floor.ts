import type { FloorPart } from '@/server/contract/context';
import type { FieldsOf } from '@/server/contract/events/event';

/** What is composed into every request before the conversation gets any room (B2), in bytes of the measure. */
export interface FloorBytes {
  readonly promptBytes: number;
  readonly toolsBytes: number;
  readonly planBytes: number;
  readonly carryBytes: number;
}

type Sections = FieldsOf<'prompt.kept'>['sections'];

const PART_OF_SOURCE = {
  application: 'application',
  agent: 'instructions',
  skill: 'skills',
  memory: 'memories',
} as const;

/**
 * The floor by the parts a person can shorten, in the order they are sent; parts without bytes are left out.
 * A section without a source counts as the application's. The parts add up to the floor.
 */
export function toFloorParts(floor: FloorBytes, sections: Sections): readonly FloorPart[] {
  const bytes = new Map<FloorPart['part'], number>();
  const add = (part: FloorPart['part'], more: number) => bytes.set(part, (bytes.get(part) ?? 0) + more);
  for (const section of sections) add(PART_OF_SOURCE[section.source?.kind ?? 'application'], section.bytes);
  const inSections = sections.reduce((sum, section) => sum + section.bytes, 0);
  add('application', Math.max(0, floor.promptBytes - inSections));
  add('tools', floor.toolsBytes);
  add('plan', floor.planBytes);
  add('carry_overs', floor.carryBytes);
  return ORDER.flatMap((part) => {
    const size = bytes.get(part) ?? 0;
    return size > 0 ? [{ part, bytes: size }] : [];
  });
}

const ORDER: readonly FloorPart['part'][] = [
  'application',
  'instructions',
  'skills',
  'memories',
  'tools',
  'plan',
  'carry_overs',
];
