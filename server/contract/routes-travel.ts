import { carryOverSchema, carryOversAnswerSchema, orderCarryOversSchema, patchCarryOverSchema } from './carry-over';
import { changeQuerySchema, expandSchema } from './compactions';
import { emptySchema, forkSchema, headMoveSchema } from './messages-api';
import { trashAnswerSchema } from './operations';
import { defineRoutes } from './route';
import { sessionSchema, sessionWithChangeSchema } from './session';

const read = ['sessions:read'] as const;
const create = ['sessions:create'] as const;
const session = { 200: { text: 'The conversation as it is now.', schema: sessionSchema } } as const;
const changed = {
  200: {
    text: 'The conversation as it is now, with the bytes of the view before and after; with `preview` nothing is changed yet.',
    schema: sessionWithChangeSchema,
  },
} as const;

/** Travel in a conversation: everything here appends a reference, nothing is lost by any of it (L3, L4, X5). */
export const travelRoutes = defineRoutes({
  forkSession: {
    method: 'POST',
    path: '/agent-sessions/{sessionId}/fork',
    tag: 'sessions',
    summary: 'Begin a new conversation at an item of this one',
    description:
      'Takes any item ever placed here, also while a reply runs, the id of a summary or of any other line of a path; without one the new conversation begins where this one stands. Plan, masks, carry-overs, boundaries and the kept prompt are those that applied there; the file is the same.',
    body: forkSchema,
    answers: { 201: { text: 'The new conversation.', schema: sessionSchema } },
    errors: ['conflict'],
    authorities: create,
    built: true,
  },
  revertSession: {
    method: 'POST',
    path: '/agent-sessions/{sessionId}/revert',
    tag: 'sessions',
    summary: 'Go back to an earlier item; nothing is lost',
    description:
      'Takes any item ever placed here, left ones too, the id of a summary or of any other line of a path (`tips` and `left` name those that bring a branch back as it was left), or null: before the first item. 409 while a reply, a tool that waits, or a compaction runs.',
    body: headMoveSchema,
    answers: session,
    errors: ['conflict'],
    authorities: create,
    built: true,
  },
  rollbackSession: {
    method: 'POST',
    path: '/agent-sessions/{sessionId}/rollback',
    tag: 'sessions',
    summary: 'Undo the newest revert or compaction',
    description:
      'The newest of both, as `undoable` of the conversation says. Repeating goes further back. 409 where there is nothing to undo, and while something runs.',
    body: emptySchema,
    answers: session,
    errors: ['conflict'],
    authorities: create,
    built: true,
  },
  revertCompaction: {
    method: 'POST',
    path: '/agent-sessions/{sessionId}/compactions/{compactionId}/revert',
    tag: 'compaction',
    summary: 'Take the newest summary back',
    description:
      'Named by its compaction or by its own id. Only the newest one in force; 409 for an older one, whose `details.newer` names those to take back first.',
    query: changeQuerySchema,
    body: emptySchema,
    answers: changed,
    errors: ['conflict'],
    authorities: create,
    built: true,
  },
  expandCompaction: {
    method: 'POST',
    path: '/agent-sessions/{sessionId}/compactions/{compactionId}/expand',
    tag: 'compaction',
    summary: 'Show a covered range to the model again',
    description:
      'Whole groups: the range grows to what it touches. 409 where the summary in force does not cover it, or shows it already.',
    query: changeQuerySchema,
    body: expandSchema,
    answers: changed,
    errors: ['conflict'],
    authorities: create,
    built: true,
  },
  foldCompaction: {
    method: 'POST',
    path: '/agent-sessions/{sessionId}/compactions/{compactionId}/fold',
    tag: 'compaction',
    summary: 'Take an expanded range back',
    description: '409 where none of the range is shown.',
    query: changeQuerySchema,
    body: expandSchema,
    answers: changed,
    errors: ['conflict'],
    authorities: create,
    built: true,
  },
  undoTrim: {
    method: 'POST',
    path: '/agent-sessions/{sessionId}/trims/{trimId}/undo',
    tag: 'compaction',
    summary: 'Show what a trim left out',
    description: '409 where it is not in force any more.',
    query: changeQuerySchema,
    body: emptySchema,
    answers: changed,
    errors: ['conflict'],
    authorities: create,
    built: true,
  },
  orderCarryOvers: {
    method: 'PUT',
    path: '/agent-sessions/{sessionId}/carry-overs/order',
    tag: 'compaction',
    summary: 'Put the carry-overs into another order',
    description: 'Every id of the list, once; 409 where the list has changed meanwhile.',
    body: orderCarryOversSchema,
    answers: { 200: { text: 'The list as it is now.', schema: carryOversAnswerSchema } },
    errors: ['conflict'],
    authorities: create,
    built: true,
  },
  patchCarryOver: {
    method: 'PATCH',
    path: '/agent-sessions/{sessionId}/carry-overs/{carryOverId}',
    tag: 'compaction',
    summary: 'Change the text of a carry-over',
    description: 'Larger than the bound: 400 with both sizes.',
    body: patchCarryOverSchema,
    answers: { 200: { text: 'The carry-over as it is now.', schema: carryOverSchema } },
    errors: ['conflict'],
    authorities: create,
    built: true,
  },
  listTrash: {
    method: 'GET',
    path: '/trash',
    tag: 'sessions',
    summary: 'Deleted conversations that can come back',
    answers: { 200: { text: 'Newest first.', schema: trashAnswerSchema } },
    errors: [],
    authorities: read,
    built: true,
  },
  restoreSession: {
    method: 'POST',
    path: '/trash/{sessionId}/restore',
    tag: 'sessions',
    summary: 'Take a conversation out of the trash',
    description: '409 for one that is not in the trash.',
    answers: session,
    errors: ['conflict'],
    authorities: create,
    built: true,
  },
});
