import { createHash } from 'node:crypto';
import type { FieldsOf } from '@/server/contract/events/event';
import type { ToolSchema } from '@/server/contract/events/view-events';
import { jsonStringBytes } from '@/server/core/budget/json-bytes';
import { measureTools } from '@/server/core/budget/measure';
import { MEMORIES_INTRO, SECTION_TITLES, WORDING_VERSION } from './wording';

export interface PromptAgent {
  readonly id: string;
  readonly version: number;
  readonly instructions: string;
}

export interface PromptSkill {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly instructions: string;
}

export interface PromptMemory {
  readonly id: string;
  readonly text: string;
}

export interface PromptSources {
  readonly application: string;
  /** Null: a conversation without an agent. */
  readonly agent: PromptAgent | null;
  /** In the order the agent names them. */
  readonly skills: readonly PromptSkill[];
  readonly memories: readonly PromptMemory[];
  /** In the order they are sent. */
  readonly tools: readonly ToolSchema[];
}

/** The fields of `prompt.kept` but for `why`. */
export type ComposedPrompt = Omit<FieldsOf<'prompt.kept'>, 'why'>;
type Section = ComposedPrompt['sections'][number];

interface Piece {
  readonly name: string;
  readonly source: Section['source'];
  readonly text: string;
}

/**
 * Composes the system prompt: application, agent, skills in order, memories (P1, `contract.md` 15). The same
 * sources give the same bytes, whatever the time, model, plan or carry-overs; a section without text is left out.
 * Sizes are measures (`contract.md` 7): the text as a JSON string, so `bytes` is the sum of the sections' bytes.
 */
export function composePrompt(sources: PromptSources): ComposedPrompt {
  const pieces = toPieces(sources).filter((piece) => piece.text.trim() !== '');
  const sections = pieces.map(({ name, source, text }, index) => ({
    name,
    bytes: measureText(index === 0 ? text : `${SEPARATOR}${text}`),
    source,
  }));
  return {
    text: pieces.map((piece) => piece.text).join(SEPARATOR),
    sections,
    tools: [...sources.tools],
    agentVersion: sources.agent?.version ?? null,
    skills: sources.skills.map(({ id, name, version }) => ({ id, name, version })),
    memoryHash: hashMemories(sources.memories),
    wording: WORDING_VERSION,
    bytes: sections.reduce((sum, section) => sum + section.bytes, 0),
    toolsBytes: measureTools(sources.tools),
  };
}

const SEPARATOR = '\n\n';

function toPieces({ application, agent, skills, memories }: PromptSources): readonly Piece[] {
  const pieces: Piece[] = [
    {
      name: SECTION_TITLES.application,
      source: { kind: 'application', id: null, version: WORDING_VERSION },
      text: application.trim(),
    },
  ];
  if (agent !== null) {
    const source = { kind: 'agent' as const, id: agent.id, version: agent.version };
    pieces.push({ name: SECTION_TITLES.agent, source, text: titled(SECTION_TITLES.agent, agent.instructions) });
  }
  for (const skill of skills) {
    const name = SECTION_TITLES.skill(skill.name);
    const source = { kind: 'skill' as const, id: skill.id, version: skill.version };
    pieces.push({ name, source, text: titled(name, skill.instructions) });
  }
  pieces.push({
    name: SECTION_TITLES.memories,
    source: { kind: 'memory', id: null, version: null },
    text: titled(SECTION_TITLES.memories, toMemoryLines(memories)),
  });
  return pieces;
}

function titled(title: string, text: string): string {
  const body = text.trim();
  return body === '' ? '' : `# ${title}\n\n${body}`;
}

function toMemoryLines(memories: readonly PromptMemory[]): string {
  if (memories.length === 0) return '';
  return [MEMORIES_INTRO, ...memories.map((memory) => `- ${memory.text.trim()}`)].join('\n');
}

/** Null without memories, so that a prompt from before the first memory and one without any are the same. */
function hashMemories(memories: readonly PromptMemory[]): string | null {
  if (memories.length === 0) return null;
  const text = JSON.stringify(memories.map((memory) => [memory.id, memory.text]));
  return createHash('sha256').update(text).digest('hex');
}

/** UTF-8 length inside a JSON string; the quotes belong to no section. */
function measureText(text: string): number {
  return jsonStringBytes(text) - 2;
}

/**
 * The text of the first section that came from `kind`, read back from a composed or kept prompt by its section
 * sizes; empty where there is none. Sizes count the JSON form, so the cut is made there.
 */
export function readSection(prompt: Pick<ComposedPrompt, 'text' | 'sections'>, kind: 'agent' | 'memory'): string {
  const index = prompt.sections.findIndex((section) => section.source?.kind === kind);
  const section = prompt.sections[index];
  if (section === undefined) return '';
  const from = prompt.sections.slice(0, index).reduce((sum, before) => sum + before.bytes, 0);
  const bytes = new TextEncoder().encode(JSON.stringify(prompt.text).slice(1, -1));
  const escaped = new TextDecoder().decode(bytes.subarray(from, from + section.bytes));
  const text: unknown = JSON.parse(`"${escaped}"`);
  return typeof text === 'string' ? text.trim() : '';
}
