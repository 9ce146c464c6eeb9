/** Stands at the end of every reply that could not do what was asked (contract 18). */
export const RULES_LINE = 'Practice model: rules, not an AI.';

export const HELP_TEXT = `I am the practice model: I follow fixed rules and am not an AI model. I call real tools on the sample workspace, so that you can see how Tidemark works without a key. I understand:

- \`list\` or \`list notes\` shows the files of a folder
- \`read README.md\` reads a file
- \`find budget\` finds lines that hold a text
- \`plan draft; review; publish\` sets a plan, \`done 1\` ticks an item off
- \`mask\` puts a short reference in place of the newest tool result
- \`recall 3\` reads item 3 again, \`recall budget\` looks for words
- \`tour\` reads five sample files one after another, until the conversation is compacted
- \`compact\` says how to compact by hand`;

export const COMPACT_TEXT = `Type \`/\` and pick \`/compact\` (a focus may follow it). The conversation so far is then summarised, the boundary appears in the transcript, and nothing is lost: \`recall\` and the transcript still show every message.`;

const CONNECT_TEXT = 'To talk to a real model, open Settings, Models and keys, and add a key or a local server.';

/** The answer to anything without a rule. */
export function toUnknownText(): string {
  return `I follow rules and cannot answer that.\n\n${HELP_TEXT}\n\n${CONNECT_TEXT}\n\n${RULES_LINE}`;
}

/** A command whose tool this agent, or this installation, does not have. */
export function toMissingToolText(tool: string): string {
  return `That needs the tool \`${tool}\`, which is not there for this agent.\n\n${RULES_LINE}`;
}

/** A command that was understood but lacks something. */
export function toIncompleteText(what: string): string {
  return `${what}\n\n${RULES_LINE}`;
}
