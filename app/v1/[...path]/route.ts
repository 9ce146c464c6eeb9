import { AppError } from '@/server/contract/error';
import { answerError } from '@/server/http/route';

/** Whatever no route of the table answers: the error body of the contract instead of a page. */
const answerUnknown = (request: Request): Response =>
  answerError(new AppError('not_found', `There is no ${new URL(request.url).pathname} here.`), 'unknown route');

export const GET = answerUnknown;
export const POST = answerUnknown;
export const PUT = answerUnknown;
export const PATCH = answerUnknown;
export const DELETE = answerUnknown;
