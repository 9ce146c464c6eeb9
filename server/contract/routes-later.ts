import { commitPreviewSchema } from './compactions';
import { maxAttachmentBytes } from './import';
import { emptySchema } from './messages-api';
import {
  attachmentQuerySchema,
  attachmentSchema,
  backupAnswerSchema,
  createMemorySchema,
  createTokenAnswerSchema,
  createTokenSchema,
  memoriesAnswerSchema,
  memorySchema,
  patchMemorySchema,
  tokensAnswerSchema,
} from './operations';
import { defineRoutes, type Route } from './route';

const create = ['sessions:create'] as const;
const memories = ['memories:write'] as const;
const admin = ['admin'] as const;
const accepted = { 202: { text: 'Accepted; the stream says what becomes of it.' } } as const;

type LaterRoute = Omit<Route, 'built' | 'errors'>;

/** Described, not answered: none of these is in the document before its `built` says so. */
function defineLater<const R extends Readonly<Record<string, LaterRoute>>>(routes: R) {
  const entries = Object.entries<LaterRoute>(routes).map(
    ([name, route]) => [name, { ...route, errors: ['conflict'] as const, built: false }] as const,
  );
  return defineRoutes(Object.fromEntries(entries));
}

export const laterRoutes = defineLater({
  commitCompaction: {
    method: 'POST',
    path: '/agent-sessions/{sessionId}/compactions/{compactionId}/commit',
    tag: 'compaction',
    summary: 'Install a previewed summary, edited or as it is',
    body: commitPreviewSchema,
    answers: accepted,
    authorities: create,
  },
  createAttachment: {
    method: 'POST',
    path: '/attachments',
    tag: 'messages',
    summary: 'Upload a file to attach',
    query: attachmentQuerySchema,
    streamedBody: { mediaTypes: ['application/octet-stream', 'image/*', 'text/*'], maxBytes: maxAttachmentBytes },
    answers: { 201: { text: 'Its hash, to name it by.', schema: attachmentSchema } },
    authorities: create,
  },
  getAttachment: {
    method: 'GET',
    path: '/agent-sessions/{sessionId}/attachments/{sha256}',
    tag: 'messages',
    summary: 'Read a file or image of a conversation',
    answers: { 200: { text: 'Its bytes.', mediaType: 'application/octet-stream' } },
    authorities: ['sessions:read'],
  },
  listMemories: {
    method: 'GET',
    path: '/memories',
    tag: 'memories',
    summary: 'Your standing instructions',
    answers: { 200: { text: 'The memories.', schema: memoriesAnswerSchema } },
    authorities: memories,
  },
  createMemory: {
    method: 'POST',
    path: '/memories',
    tag: 'memories',
    summary: 'Declare a standing instruction',
    body: createMemorySchema,
    answers: { 201: { text: 'The memory.', schema: memorySchema } },
    authorities: memories,
  },
  patchMemory: {
    method: 'PATCH',
    path: '/memories/{memoryId}',
    tag: 'memories',
    summary: 'Change a standing instruction',
    body: patchMemorySchema,
    answers: { 200: { text: 'The memory as it is now.', schema: memorySchema } },
    authorities: memories,
  },
  deleteMemory: {
    method: 'DELETE',
    path: '/memories/{memoryId}',
    tag: 'memories',
    summary: 'Forget a standing instruction',
    answers: { 204: { text: 'Forgotten.' } },
    authorities: memories,
  },
  listTokens: {
    method: 'GET',
    path: '/tokens',
    tag: 'server',
    summary: 'Bearer tokens; their text is never shown again',
    answers: { 200: { text: 'The tokens.', schema: tokensAnswerSchema } },
    authorities: admin,
  },
  createToken: {
    method: 'POST',
    path: '/tokens',
    tag: 'server',
    summary: 'Make a bearer token',
    body: createTokenSchema,
    answers: { 201: { text: 'The token, with its text this once.', schema: createTokenAnswerSchema } },
    authorities: admin,
  },
  revokeToken: {
    method: 'DELETE',
    path: '/tokens/{tokenId}',
    tag: 'server',
    summary: 'Revoke a token; its open streams end within a second',
    answers: { 204: { text: 'Revoked.' } },
    authorities: admin,
  },
  createBackup: {
    method: 'POST',
    path: '/backup',
    tag: 'server',
    summary: 'Make a consistent copy of everything',
    body: emptySchema,
    answers: { 201: { text: 'Where it is.', schema: backupAnswerSchema } },
    authorities: admin,
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    tag: 'server',
    summary: 'Numbers for Prometheus',
    answers: { 200: { text: 'Prometheus text.', mediaType: 'text/plain' } },
    authorities: admin,
  },
});
