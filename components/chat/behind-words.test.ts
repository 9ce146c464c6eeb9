import { describe, expect, it } from 'vitest';
import type { PromptAnswer } from '@/server/contract/prompt';
import { idOf } from '../sync/fold-stream-arbitraries';
import { changedDocuments, wordBehind } from './behind-words';

const skill = (name: string, change: 'newer' | 'added' | 'removed') => ({ id: idOf(9), name, change, from: 3, to: 4 });

const prompt = (change: Partial<PromptAnswer> = {}): PromptAnswer => ({
  current: false,
  composedAt: null,
  instructionsChanged: false,
  memoriesChanged: false,
  toolsChanged: false,
  skills: [],
  agent: { id: idOf(8), name: 'Schema keeper', deleted: false, from: 4, to: 6 },
  kept: null,
  wouldBe: { agentVersion: 6, skills: [] },
  hash: null,
  dismissed: false,
  toolsRemoved: [],
  sections: [],
  ...change,
});
const words = (change: Partial<PromptAnswer>) => wordBehind(prompt(change))?.text ?? null;

describe('the behind banner (P4)', () => {
  it('names skills first, then instructions, memories, tools', () => {
    const skills = [skill('Postgres migrations', 'newer'), skill('Zero-downtime checks', 'newer')];
    expect(words({ skills, instructionsChanged: true })).toBe(
      'The skills Postgres migrations and Zero-downtime checks and the instructions have newer versions.',
    );
    expect(words({ skills: [skill('Postgres migrations', 'newer')] })).toBe(
      'The skill Postgres migrations has a newer version.',
    );
    expect(words({ instructionsChanged: true })).toBe('The instructions have a newer version.');
  });

  it('more than two skills are counted', () => {
    const skills = ['a', 'b', 'c'].map((name) => skill(name, 'newer'));
    expect(words({ skills })).toBe('3 skills have newer versions.');
  });

  it('says what was added and what was removed', () => {
    expect(words({ skills: [skill('A', 'added'), skill('B', 'removed')] })).toBe(
      'The skill A was added. The skill B was removed.',
    );
  });

  it('ux-8: only notes changed, current or dismissed: no banner', () => {
    expect(words({})).toBeNull();
    expect(words({ current: true, instructionsChanged: true })).toBeNull();
    expect(words({ dismissed: true, instructionsChanged: true })).toBeNull();
  });

  it('ux-8: a deleted agent keeps its copy; a tool that is gone warns', () => {
    const agent = { id: idOf(8), name: 'Schema keeper', deleted: true, from: 4, to: null };
    expect(wordBehind(prompt({ agent }))?.text).toBe('This conversation keeps its v4 copy.');
    expect(wordBehind(prompt({ toolsRemoved: ['search'] }))).toMatchObject({ tone: 'warn' });
  });

  it('each named change opens its difference, and what has none is not offered', () => {
    const skills = [skill('A', 'newer'), { ...skill('B', 'added'), from: null }];
    expect(changedDocuments(prompt({ skills })).map((one) => [one.kind, one.from, one.to])).toEqual([
      ['skills', 3, 4],
      ['agents', 4, 6],
    ]);
  });
});
