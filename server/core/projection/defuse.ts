/** Tags that only the application writes into a view. In a tool result just `tool_result` is defused, so file text stays exact. */
export const TOOL_RESULT_TAGS: readonly string[] = ['tool_result'];
/** Inside a summary's body, its carry-overs, and a plan's texts. */
export const SUMMARY_TAGS: readonly string[] = ['tool_result', 'summary', 'plan'];
/** In the serialised input of a summariser. */
export const SERIALISED_TAGS: readonly string[] = ['tool_result', 'item', 'previous_summary', 'reread'];

/** The less-than sign and the two characters that NFKC folds into it. */
const OPENERS = /[<\uFE64\uFF1C]/g;
/** Blanks, slashes of either width, and characters that are not drawn. */
const BEFORE_NAME = /^[\s\p{Default_Ignorable_Code_Point}/\uFF0F]$/u;

/**
 * Sends every `<` that opens one of `tags` as `&lt;` (`contract.md` 9, C7): with or without slash and spaces, in any
 * letter case, also where only NFKC makes it look so. Everything else stays as it is, byte for byte.
 */
export function defuse(text: string, tags: readonly string[]): string {
  if (!text.includes('<') && !text.includes('\uFE64') && !text.includes('\uFF1C')) return text;
  return text.replace(OPENERS, (sign, at: number) => (opensTag(text, at + sign.length, tags) ? '&lt;' : sign));
}

function opensTag(text: string, from: number, tags: readonly string[]): boolean {
  let at = from;
  for (let unit = text.at(at); unit !== undefined && BEFORE_NAME.test(unit); unit = text[at]) at += 1;
  // A letter is at most two UTF-16 units and may hide behind ignorables; four a letter is enough to see the name.
  const name = text
    .slice(at, at + LONGEST_LOOK)
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase();
  return tags.some((tag) => name.startsWith(tag) && !/^[a-z0-9]/.test(name.slice(tag.length)));
}

const LONGEST_LOOK = 80;
