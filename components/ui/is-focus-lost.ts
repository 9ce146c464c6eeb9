/** Nobody put the focus where it is: what held it went away. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
