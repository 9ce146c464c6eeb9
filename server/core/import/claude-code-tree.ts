import type { ImportWarning } from '@/server/contract/import';
import { type Block, type ClaudeLine, callIdOf, warn } from './claude-code-lines';

/** What a node stands for: one message, one whole reply with its results, or a mark that the tool left. */
export type ClaudeContent =
  | { readonly kind: 'message'; readonly line: ClaudeLine; readonly blocks: readonly Block[] }
  | { readonly kind: 'reply'; readonly lines: ClaudeLine[]; readonly results: Map<string, ClaudeResult> }
  | { readonly kind: 'boundary'; readonly line: ClaudeLine; summary: ClaudeLine | null }
  | { readonly kind: 'microcompact'; readonly line: ClaudeLine };

export interface ClaudeResult {
  readonly line: ClaudeLine;
  readonly block: Block;
}

export interface ClaudeNode {
  readonly content: ClaudeContent;
  readonly parent: ClaudeNode | null;
  readonly children: ClaudeNode[];
  /** Line of the newest record that is part of it. */
  newest: number;
}

export interface ClaudeTree {
  readonly roots: readonly ClaudeNode[];
  readonly warnings: readonly ImportWarning[];
}

interface Growing {
  readonly roots: ClaudeNode[];
  readonly warnings: ImportWarning[];
  readonly byUuid: Map<string, ClaudeNode>;
  /** Records that are no node, by `uuid`: the chain goes through them. */
  readonly passing: Map<string, ClaudeLine>;
  readonly byReply: Map<string, ClaudeNode>;
  readonly byCall: Map<string, ClaudeNode>;
  last: ClaudeNode | null;
}

/**
 * Builds the conversation's tree of the lines of one chain (main or side). Lines of one reply become one node, a
 * result joins the reply that called wherever it stands, so parallel calls that were written call, result, call,
 * result come out as one batch; a node with several children is a real fork.
 */
export function growTree(lines: readonly ClaudeLine[]): ClaudeTree {
  const tree: Growing = {
    roots: [],
    warnings: [],
    byUuid: new Map(),
    passing: new Map(lines.flatMap((line) => (line.uuid ? [[line.uuid, line]] : []))),
    byReply: new Map(),
    byCall: new Map(),
    last: null,
  };
  for (const line of lines) addLine(tree, line);
  return tree;
}

function addLine(tree: Growing, line: ClaudeLine): void {
  if (line.type === 'system' && line.subtype === 'compact_boundary') {
    addNode(tree, line, { kind: 'boundary', line, summary: null });
  } else if (line.type === 'system' && line.subtype === 'microcompact_boundary') {
    addNode(tree, line, { kind: 'microcompact', line });
  } else if (line.type === 'assistant' && line.message) addReply(tree, line);
  else if (line.type === 'user' && line.isCompactSummary === true && line.message) addSummary(tree, line);
  else if (line.type === 'user' && line.message) addUser(tree, line);
}

function addNode(tree: Growing, line: ClaudeLine, content: ClaudeContent, parent = parentOf(tree, line)): ClaudeNode {
  const node: ClaudeNode = { content, parent, children: [], newest: line.line };
  (parent?.children ?? tree.roots).push(node);
  join(tree, line, node);
  return node;
}

/** From now on the record stands for the node: what follows the record follows the node. */
function join(tree: Growing, line: ClaudeLine, node: ClaudeNode): void {
  node.newest = Math.max(node.newest, line.line);
  if (line.uuid) tree.byUuid.set(line.uuid, node);
  tree.last = node;
}

/**
 * The node that a record follows, through records that are none. A boundary names its predecessor apart; where the
 * predecessor is lost, what stood before it in the file takes its place, so one lost line orphans nothing (case-C02).
 */
function parentOf(tree: Growing, line: ClaudeLine): ClaudeNode | null {
  const isBoundary = line.type === 'system' && line.subtype === 'compact_boundary';
  let uuid = isBoundary ? (line.logicalParentUuid ?? line.parentUuid) : line.parentUuid;
  const met = new Set<string>();
  while (uuid && !met.has(uuid)) {
    met.add(uuid);
    const node = tree.byUuid.get(uuid);
    if (node) return node;
    const passing = tree.passing.get(uuid);
    if (!passing) {
      if (tree.last)
        tree.warnings.push(warn('missing_parent', 'The record before this one is not in the file.', line.line));
      return tree.last;
    }
    uuid = passing.logicalParentUuid ?? passing.parentUuid;
  }
  return line.parentUuid === null && !isBoundary ? null : tree.last;
}

/** A reply goes on while its lines follow each other; usage and blocks of one `message.id` belong together. */
function addReply(tree: Growing, line: ClaudeLine): void {
  const id = line.message?.id;
  const parent = parentOf(tree, line);
  const known = id ? tree.byReply.get(id) : undefined;
  const isSame = known?.content.kind === 'reply' && parent === known;
  const node = isSame ? known : addNode(tree, line, { kind: 'reply', lines: [], results: new Map() }, parent);
  if (node.content.kind !== 'reply') return;
  node.content.lines.push(line);
  join(tree, line, node);
  if (id) tree.byReply.set(id, node);
  for (const block of blocksOf(line)) {
    if (block.type === 'tool_use') tree.byCall.set(callIdOf(block.id), node);
  }
}

function addSummary(tree: Growing, line: ClaudeLine): void {
  const parent = parentOf(tree, line);
  if (parent?.content.kind !== 'boundary' || parent.content.summary) {
    addNode(tree, line, { kind: 'boundary', line, summary: line }, parent);
    return;
  }
  parent.content.summary = line;
  join(tree, line, parent);
}

/** Results join their reply; the text beside them, and results of calls that are not in the file, are a message. */
function addUser(tree: Growing, line: ClaudeLine): void {
  const rest: Block[] = [];
  let owner: ClaudeNode | null = null;
  for (const block of blocksOf(line)) {
    const node = block.type === 'tool_result' ? tree.byCall.get(callIdOf(block.tool_use_id)) : undefined;
    if (node?.content.kind !== 'reply') {
      rest.push(block);
      continue;
    }
    owner = node;
    const callId = callIdOf(block.tool_use_id);
    if (!node.content.results.has(callId)) node.content.results.set(callId, { line, block });
  }
  if (owner) join(tree, line, owner);
  if (rest.length > 0) addNode(tree, line, { kind: 'message', line, blocks: rest }, owner ?? parentOf(tree, line));
}

/** Content as blocks; a string is one text block. */
export function blocksOf(line: ClaudeLine): readonly Block[] {
  const content = line.message?.content ?? [];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** The path to the node that was written last, from the root on; what branches off it is for the caller. */
export function newestPath(root: ClaudeNode): readonly ClaudeNode[] {
  const path: ClaudeNode[] = [];
  const newestIn = newestBelow(root);
  let node: ClaudeNode | undefined = root;
  while (node) {
    path.push(node);
    const { children }: ClaudeNode = node;
    node = children.toSorted((a, b) => (newestIn.get(b) ?? 0) - (newestIn.get(a) ?? 0))[0];
  }
  return path;
}

/** The newest line at or below each node. Without recursion: a conversation may be ten thousand nodes deep. */
function newestBelow(root: ClaudeNode): ReadonlyMap<ClaudeNode, number> {
  const order: ClaudeNode[] = [root];
  for (const node of order) order.push(...node.children);
  const newest = new Map<ClaudeNode, number>();
  for (const node of order.reverse()) {
    newest.set(node, Math.max(node.newest, ...node.children.map((child) => newest.get(child) ?? 0)));
  }
  return newest;
}
