import { kindOf } from './claude-code-content';
import { callIdOf } from './claude-code-lines';
import { blocksOf, type ClaudeNode, type ClaudeTree } from './claude-code-tree';
import type { ImportCounts } from './import-shape';

interface Counted {
  readonly main: ClaudeTree;
  readonly side: ClaudeTree;
  readonly skipped: Readonly<Record<string, number>>;
  readonly forks: number;
}

/** Counts the main chain, forks of it included; side chains are counted whole. */
export function countClaude({ main, side, skipped, forks }: Counted): ImportCounts {
  const nodes: ClaudeNode[] = [...main.roots];
  for (const node of nodes) nodes.push(...node.children);
  const sums = nodes.map(countNode);
  const sum = (key: keyof ReturnType<typeof countNode>) => sums.reduce((total, each) => total + each[key], 0);
  return {
    userTurns: sum('userTurns'),
    textItems: sum('textItems'),
    toolCalls: sum('toolCalls'),
    toolResults: sum('toolResults'),
    boundaries: sum('boundaries'),
    sideChains: side.roots.length,
    forks,
    skipped,
  };
}

function countNode({ content }: ClaudeNode) {
  const none = { userTurns: 0, textItems: 0, toolCalls: 0, toolResults: 0, boundaries: 0 };
  if (content.kind === 'message') {
    const texts = content.blocks.flatMap(({ type, text }) =>
      type === 'text' && typeof text === 'string' ? [text] : [],
    );
    const orphans = content.blocks.filter(({ type }) => type === 'tool_result').length;
    const isTurn = texts.length > 0 && kindOf(content.line, texts.join('\n')) === 'person';
    return { ...none, userTurns: isTurn ? 1 : 0, textItems: texts.length, toolResults: orphans };
  }
  if (content.kind === 'boundary') {
    const texts = content.summary ? blocksOf(content.summary).filter(({ type }) => type === 'text') : [];
    return { ...none, textItems: texts.length, boundaries: 1 };
  }
  if (content.kind !== 'reply') return none;
  const blocks = content.lines.flatMap(blocksOf);
  return {
    ...none,
    textItems: blocks.filter(({ type }) => type === 'text').length,
    toolCalls: new Set(blocks.flatMap(({ type, id }) => (type === 'tool_use' ? [callIdOf(id)] : []))).size,
    toolResults: content.results.size,
  };
}
