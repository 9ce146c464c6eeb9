import { createProviderSchema } from '@/server/contract/provider';

export type ReadAddress =
  | { readonly ok: true; readonly baseUrl: string }
  | { readonly ok: false; readonly problem: string };

const notAnAddress = 'This is not an address. Write it like 127.0.0.1:11434 or https://example.org/v1.';
const withSecret = 'Leave the name and password out of the address; a key goes into its own field.';

/** Browsers take blanks and signs in a host where the server does not, so the host is judged here as well. */
const hostForm = /^https?:\/\/(\[[0-9a-f:.]+\]|[\p{L}\p{N}_.-]+)(:\d{1,5})?([/?#]\S*)?$/iu;

/** What was typed, with `http://` before it where no protocol was; nothing stays nothing, which is “its own”. */
export function completeAddress(text: string): string {
  const typed = text.trim();
  return typed === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `http://${typed}`;
}

/** Why an address cannot be one of a provider, in words for its field; null when it can. Empty text can, as “its own”. */
export function judgeAddress(text: string): string | null {
  const typed = completeAddress(text);
  if (typed === '') return null;
  if (/^https?:\/\/[^/]*@/i.test(typed)) return withSecret;
  const allowed = hostForm.test(typed) && createProviderSchema.shape.baseUrl.safeParse(typed).success;
  return allowed ? null : notAnAddress;
}

/** What was typed as the address of a local server, as a provider holds it: `http://` and `/v1` need not be typed. */
export function readAddress(text: string): ReadAddress {
  const trimmed = text.trim().replace(/\/+$/, '');
  const url = completeAddress(trimmed);
  const baseUrl = /\/v\d+$/.test(url) ? url : `${url}/v1`;
  const problem = trimmed === '' ? notAnAddress : judgeAddress(baseUrl);
  return problem === null ? { ok: true, baseUrl } : { ok: false, problem };
}
