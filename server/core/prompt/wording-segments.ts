import { SUMMARY_INSTRUCTION as say } from './wording';

/**
 * The instructions of a summary in segments (`contract.md` 13). As with the summary itself each first line is a fixed mark:
 * fake servers, the practice model and recorded requests are recognised by it.
 */

const SHARED = [say.language, say.data, say.stale, say.noTools, say.short] as const;

const NOTES_HEADINGS =
  'Use these level-2 Markdown headings where they apply, each at most once: ## Objective, ## Constraints, ## Decisions and evidence, ## Invalidated, ## Work, ## Next action, ## Files, ## Code anchors. Under each, bullets; every bullet ends with the number of the item it rests on, as "(item 12)". Copy every rule, limit and wish of the person WORD FOR WORD, and names, paths, identifiers and numbers exactly.';

/** The system text of all stages: the agent's own prompt is not part of what they read, so that small windows serve too. */
export const SEGMENTS_SYSTEM =
  'You take part in summarising a long conversation between a person and an agent. Others read other parts of it. You write exactly what the task asks for, and nothing else.';

export const MAP_INSTRUCTION = {
  firstLine: 'TASK map 1',
  task: 'Below is one part of a conversation: numbered items in the order they were said. Write notes on it, from which somebody who never sees it will write the summary of the whole. Write the notes only.',
  previous:
    'A <previous_summary> stands for what came before; nobody said it. Take over what of it still holds, with the item numbers it names.',
  headings: NOTES_HEADINGS,
  rules: SHARED,
} as const;

const REREAD = (ranges: number) =>
  `Where notes contradict each other, or what matters is unclear, you may ask once for the items themselves: then answer with the single line "REREAD: 12-20" (item numbers, up to ${ranges} ranges with commas between) and nothing else.`;

export const REDUCE_INSTRUCTION = {
  firstLine: 'TASK reduce 1',
  inner:
    'Below are notes on neighbouring parts of a conversation, in order. Write the notes that will stand in the place of all of them. Write the notes only.',
  final:
    'Below are notes on all parts of a conversation, in order. Write the summary that will stand in the place of the conversation. A model will go on with the work from it, the newest messages and the plan alone. Write the summary only: no greeting, no remark about this task.',
  notes: 'Later notes supersede earlier ones where they differ: say under Invalidated what no longer holds.',
  headings: NOTES_HEADINGS,
  rules: SHARED,
  reread: REREAD,
  reread_done: 'You asked for these items again. Answer now; nothing more can be asked for.',
} as const;

export const AUDIT_INSTRUCTION = {
  firstLine: 'TASK audit 1',
  task: 'Below are a candidate summary of a conversation and notes on parts of it. Judge the candidate by the notes: is a constraint missing, softened or turned; is a decision, number, name, path or open task wrong, or missing though work depends on it; is anything in it that the notes contradict?',
  some: (items: string) =>
    `You see only the notes on items ${items}. What the candidate says about other items is judged elsewhere: pass over it.`,
  grammar:
    'Answer with the single word PASS when nothing of weight is wrong. Else answer with the first line FAIL and after it one line a finding, each beginning with "- " and naming the items it rests on.',
  data: say.data,
} as const;

export const CORRECTION_INSTRUCTION = {
  firstLine: 'TASK correction 1',
  task: 'Below are a candidate summary of a conversation, what an audit found wrong with it, and notes on the parts that this concerns. Write the whole summary anew with the findings put right and everything else kept. Write the summary only.',
  rules: SHARED,
} as const;
