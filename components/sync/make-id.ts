/** A random id for a request of this tab. `randomUUID` is missing on plain http, `getRandomValues` is not (contract 16). */
export function makeId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
