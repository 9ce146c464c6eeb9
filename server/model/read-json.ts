import type { FetchLike } from './guarded-fetch';
import { FetchRefused } from './guarded-fetch';

const MOST_BYTES = 8_000_000;

/** An HTTP answer with its body parsed as far as it is JSON. */
export interface JsonAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: unknown;
}

/** Reads one small JSON answer. Refuses redirects and bodies above 8 MB by throwing; callers classify. */
export async function readJson(fetchLike: FetchLike, url: string, init: RequestInit): Promise<JsonAnswer> {
  const response = await fetchLike(url, { ...init, redirect: 'manual' });
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    await response.body?.cancel();
    throw new FetchRefused(
      'redirect_refused',
      `The provider answered with a redirect (${response.status}); redirects are not followed.`,
    );
  }
  const text = await readBounded(response);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers.entries()),
    text,
    json: tryJson(text),
  };
}

async function readBounded(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    bytes += step.value.length;
    if (bytes > MOST_BYTES) {
      await reader.cancel();
      throw new TypeError('network: the answer is larger than any listing of models');
    }
    chunks.push(step.value);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
