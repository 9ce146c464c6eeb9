import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultSettings } from '@/server/contract/settings';
import { UNSET_BUDGET_BYTES } from '@/server/core/budget/budget';
import { capFor } from '@/server/core/budget/numbers';
import { readConversation } from './read-conversation';
import { reportView } from './view-report';

const USAGE = `npm run view -- FILE [--budget BYTES] [--session ID] [--full]

Prints the view a model would get of a conversation: what is in it, which items it came from, what it takes.
FILE is a Tidemark log or a session of Claude Code. Nothing is written and nothing is sent.
  --budget   bytes of the whole request (default ${UNSET_BUDGET_BYTES})
  --session  one of the file's sessions, if it has forks (default: the first)
  --full     whole texts`;

/** Prints the report, or what was wrong with the question; answers with the exit code. */
function main(args: readonly string[]): number {
  const asked = readQuestion(args);
  if (typeof asked === 'string') {
    console.error(`${asked}\n\n${USAGE}`);
    return 2;
  }
  const { file, budgetBytes, full } = asked;
  const cap = capFor(budgetBytes, defaultSettings.tools.result_cap_bytes);
  const read = readConversation(readFileSync(file), { file: basename(file), resultCapBytes: cap });
  if (read === null) {
    console.error(`${file} is neither a Tidemark log nor a session of Claude Code.`);
    return 1;
  }
  const session = asked.session ?? read.sessions[0];
  if (session === undefined || !read.log.branches.has(session)) {
    console.error(`${file} has no session ${session ?? 'at all'}; it has ${read.sessions.join(', ')}.`);
    return 1;
  }
  console.log(`${basename(file)} · ${read.format} · session ${session} of ${read.sessions.length}`);
  for (const line of reportView({ log: read.log, session, budgetBytes, full })) console.log(line);
  return 0;
}

interface Question {
  readonly file: string;
  readonly budgetBytes: number;
  readonly session: string | undefined;
  readonly full: boolean;
}

function readQuestion(args: readonly string[]): Question | string {
  const options = { budget: { type: 'string' }, session: { type: 'string' }, full: { type: 'boolean' } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [file] = positionals;
    const budgetBytes = values.budget === undefined ? UNSET_BUDGET_BYTES : Number(values.budget);
    if (file === undefined) return 'Which file?';
    if (!Number.isInteger(budgetBytes) || budgetBytes < 1) return `"${values.budget}" is no number of bytes.`;
    return { file, budgetBytes, session: values.session, full: values.full === true };
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : 'That cannot be read.';
  }
}

process.exitCode = main(process.argv.slice(2));
