import type { PromptAnswer } from '@/server/contract/prompt';
import type { ChangedDocument } from '../versions/changes-dialog';

const count = (n: number, one: string, many: string) => (n === 1 ? `1 ${one}` : `${n} ${many}`);

function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/** Up to two skills by name, more by number. */
function nameSkills(prompt: PromptAnswer, change: 'newer' | 'added' | 'removed'): string {
  const names = prompt.skills.filter((skill) => skill.change === change).map((skill) => skill.name);
  if (names.length === 0) return '';
  if (names.length > 2) return count(names.length, 'skill', 'skills');
  return `${names.length === 1 ? 'the skill' : 'the skills'} ${joinWords(names)}`;
}

export interface BehindWords {
  readonly title: string;
  readonly text: string;
  readonly tone: 'behind' | 'warn';
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** What moved on, skills first, then instructions, memories, tools (contract 15, P4). */
function sayChanges(prompt: PromptAnswer): string {
  const newer = [
    nameSkills(prompt, 'newer'),
    prompt.instructionsChanged ? 'the instructions' : '',
    prompt.memoriesChanged ? 'the memories' : '',
    prompt.toolsChanged ? 'the tools' : '',
  ].filter(Boolean);
  const added = nameSkills(prompt, 'added');
  const removed = nameSkills(prompt, 'removed');
  const sentences = [
    newer.length > 0 ? `${joinWords(newer)} ${sayNewer(newer)}` : '',
    added === '' ? '' : `${added} ${/skills|^\d/.test(added) ? 'were' : 'was'} added`,
    removed === '' ? '' : `${removed} ${/skills|^\d/.test(removed) ? 'were' : 'was'} removed`,
  ].filter(Boolean);
  return sentences.map((sentence) => `${capital(sentence)}.`).join(' ');
}

function sayNewer(words: readonly string[]): string {
  const [only = ''] = words;
  if (words.length > 1 || /^the skills |^\d/.test(only)) return 'have newer versions';
  return only.startsWith('the skill ') ? 'has a newer version' : 'have a newer version';
}

/** The banner's words; null where there is nothing to say or a person has said not to. */
export function wordBehind(prompt: PromptAnswer): BehindWords | null {
  if (prompt.current || prompt.dismissed) return null;
  const title = 'This conversation is behind its agent.';
  if (prompt.toolsRemoved.length > 0) {
    const tools = joinWords(prompt.toolsRemoved);
    const verb = prompt.toolsRemoved.length === 1 ? 'does not exist any more' : 'do not exist any more';
    return { title, text: `The tool ${tools} ${verb}; replies may fail.`, tone: 'warn' };
  }
  if (prompt.agent.deleted) {
    const version = prompt.agent.from === null ? '' : ` v${prompt.agent.from}`;
    return {
      title: 'The agent was deleted.',
      text: `This conversation keeps its${version} copy.`,
      tone: 'behind',
    };
  }
  const text = sayChanges(prompt);
  // Only notes changed: the mark in header and list says enough.
  return text === '' ? null : { title, text, tone: 'behind' };
}

/** The documents whose difference can be shown, each between the version kept and the one it would be. */
export function changedDocuments(prompt: PromptAnswer): readonly ChangedDocument[] {
  const { agent } = prompt;
  const documents: ChangedDocument[] = [];
  for (const skill of prompt.skills) {
    if (skill.id && skill.from !== null && skill.to !== null && skill.from !== skill.to) {
      documents.push({ kind: 'skills', id: skill.id, name: skill.name, from: skill.from, to: skill.to });
    }
  }
  if (agent.id && agent.from !== null && agent.to !== null && agent.from !== agent.to && !agent.deleted) {
    documents.push({ kind: 'agents', id: agent.id, name: agent.name ?? 'Agent', from: agent.from, to: agent.to });
  }
  return documents;
}
