/** A flag of a query as people write it: `1` and `true` are on; anything else, absent too, is off. */
export function isOn(flag: string | undefined): boolean {
  return flag === '1' || flag === 'true';
}
