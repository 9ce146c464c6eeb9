import type { AgentContent } from '@/server/contract/agent';
import type { SkillContent } from '@/server/contract/skill';
import type { DocumentStore } from '@/server/ports/stores';
import { newAgentContent, newSkillContent } from './agents';
import type { Library } from './library';

interface SeedLibraries {
  readonly agents: Library<AgentContent>;
  readonly skills: Library<SkillContent>;
}

/** What a fresh installation starts with: one agent that can look around, and two skills it uses. */
export const GUIDE_NAME = 'Workspace guide';

const READING = newSkillContent({
  name: 'Careful reading',
  description: 'How to look at files before saying anything about them.',
  instructions: [
    'Look before you speak: list the folder, then read the file, then answer.',
    'Quote paths exactly as the tools show them.',
    'Say which file and line a statement rests on.',
    'When a file is long, read the part that matters and say that you did.',
  ].join('\n'),
});

const READING_NOW = `${READING.instructions}\nWhen nothing was found, say what you searched for and where.`;

const NOTES = newSkillContent({
  name: 'House notes',
  description: 'How answers are written here.',
  instructions: [
    'Short sentences, plain words, no filler.',
    'Numbers with their units.',
    'Decisions first, reasons after.',
  ].join('\n'),
});

const GUIDE_TEXT = [
  'You help a person find their way around the files of the workspace.',
  'Use the tools to list, read and search; never guess what a file says.',
  'Keep a plan when the work has several steps, and keep it true.',
].join('\n');

/** Fixed, so that the bundled sample conversation can say what it was held with. */
export const SEED_IDS = {
  guide: '01SEED0000000000000000GD01',
  reading: '01SEED0000000000000000SK01',
  notes: '01SEED0000000000000000SK02',
} as const;

/**
 * Nothing was ever kept here. What a person deleted still stands in the store, so an installation whose agents and skills
 * were all deleted is not a fresh one.
 */
export function isFreshLibrary(documents: DocumentStore): boolean {
  const isEmpty = documents.list('agent').length === 0 && documents.list('skill').length === 0;
  return isEmpty && Object.values(SEED_IDS).every((id) => documents.get(id) === null);
}

/**
 * Puts the first agent and its skills into an installation that has neither; does nothing anywhere else, so what a
 * person deleted stays deleted. One skill has a second version: the sample conversation was held with the first, and
 * is behind.
 */
export function seedLibrary({ agents, skills }: SeedLibraries, isFresh: boolean): void {
  if (!isFresh) return;
  const publish = (note: string) => ({ note });
  skills.create(READING, SEED_IDS.reading);
  skills.publish(SEED_IDS.reading, publish('Came with the installation.'), 'installation');
  skills.patch(SEED_IDS.reading, { instructions: READING_NOW });
  skills.publish(SEED_IDS.reading, publish('Says what was searched when nothing was found.'), 'installation');
  skills.create(NOTES, SEED_IDS.notes);
  skills.publish(SEED_IDS.notes, publish('Came with the installation.'), 'installation');
  const guide = newAgentContent({
    name: GUIDE_NAME,
    purpose: 'Finds its way around the files of your workspace, and shows what it looked at.',
    openers: ['list', 'read README.md', 'find allocation', 'tour'],
    instructions: GUIDE_TEXT,
    skills: [SEED_IDS.reading, SEED_IDS.notes].map((id) => ({ id, version: 'latest' as const })),
  });
  agents.create(guide, SEED_IDS.guide);
  agents.publish(SEED_IDS.guide, publish('Came with the installation.'), 'installation');
}
