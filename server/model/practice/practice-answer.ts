import { withoutBlocks } from './conversation-text';
import { auditCandidate } from './practice-audit';
import { answerMessage, type PracticeAnswer, say } from './practice-commands';
import type { PracticeRequest } from './practice-request';
import { answerResults } from './practice-results';
import { readSource } from './practice-source';
import { writePracticeSummary } from './practice-summary';

const TASK = /(?:^|\n\n)TASK (summary|map|reduce|correction|audit) \d+[^\n]*\n/;

/** The whole of the practice model: one request in, one answer out, by rules, always the same for the same request (N2). */
export function answerPractice(request: PracticeRequest): PracticeAnswer {
  const newest = request.messages.at(-1);
  const asked = request.messages.findLast((message) => message.role === 'user')?.text ?? '';
  const task = newest?.role === 'user' ? TASK.exec(newest.text) : null;
  if (task?.[1] === 'audit') return say(auditCandidate(newest?.text.slice(task.index) ?? ''));
  if (task !== null) return say(writePracticeSummary(readSource(request.messages, task.index)));
  if (newest?.role === 'tool') return answerResults(request, newestParagraph(asked));
  return answerMessage(newestParagraph(asked), request);
}

/** Adjacent user messages arrive joined; the newest one stands last. A message of several paragraphs is a write or a plan, or has no rule. */
function newestParagraph(text: string): string {
  const said = withoutBlocks(text);
  const start = said.search(/(?:^|\n\n)(?:write|keep) (?![\s\S]*\n\n(?:write|keep) )/i);
  return start >= 0 ? said.slice(start).trim() : (said.split(/\n{2,}/).at(-1) ?? '').trim();
}
