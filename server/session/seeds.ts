import type { AgentContent } from '@/server/contract/agent';
import type { SkillContent } from '@/server/contract/skill';
import { newAgentContent, newSkillContent } from './agents';
import type { Library } from './library';

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

/**
 * Puts the first agent and its skills into an installation that has neither; does nothing anywhere else, so what a
 * person deleted stays deleted.
 */
export function seedLibrary(
  libraries: { readonly agents: Library<AgentContent>; readonly skills: Library<SkillContent> },
  isFresh: boolean,
): void {
  if (!isFresh) return;
  const publish = { note: 'Came with the installation.' };
  const skills = [READING, NOTES].map((content) => {
    const { stored } = libraries.skills.create(content);
    libraries.skills.publish(stored.id, publish, 'installation');
    return { id: stored.id, version: 'latest' as const };
  });
  const guide = libraries.agents.create(
    newAgentContent({
      name: GUIDE_NAME,
      purpose: 'Finds its way around the files of your workspace, and shows what it looked at.',
      openers: ['What is in this workspace?', 'Read README.md', 'Find every mention of “ledger”', 'tour'],
      instructions: GUIDE_TEXT,
      skills,
    }),
  );
  libraries.agents.publish(guide.stored.id, publish, 'installation');
}
