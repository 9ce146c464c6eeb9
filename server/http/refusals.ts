import type { ServerResponse } from 'node:http';
import { AppError, type ErrorCode, errorStatus, toErrorBody } from '@/server/contract/error';

interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[char] ?? '&quot;');

const STYLE =
  ':root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;max-width:34rem;margin:18vh auto;padding:0 1.5rem}h1{font-size:1.25rem}';

function plainPage(title: string, message: string, nonce: string): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title><link rel="icon" href="/icon.svg">`,
    `<style nonce="${nonce}">${STYLE}</style></head>`,
    `<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(message)}</p></main></body></html>`,
  ].join('');
}

/** Answers a refused call of the API with the error body of the contract. */
export function sendErrorBody(res: ServerResponse, { code, message }: Refusal): void {
  const { status, body } = toErrorBody(new AppError(code, message));
  const text = JSON.stringify(body);
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  res.end(text);
}

/** Answers a refused page with a plain one that says what to do; it needs no script and no file but the icon. */
export function sendErrorPage(res: ServerResponse, { code, message }: Refusal, nonce: string): void {
  const title = code === 'unauthenticated' ? 'This browser is not signed in' : 'Tidemark did not answer this request';
  const text = plainPage(title, message, nonce);
  res.writeHead(errorStatus[code], {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  res.end(text);
}
