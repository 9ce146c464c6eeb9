/** The tools that come with the application (T1), in the order they are offered. `asks`: waits for a person's yes unless allowed (T2). */
export const knownTools: readonly { readonly name: string; readonly text: string; readonly asks: boolean }[] = [
  { name: 'read_file', text: 'Reads a file of the workspace', asks: false },
  { name: 'list_files', text: 'Lists files of the workspace', asks: false },
  { name: 'search_files', text: 'Searches in the workspace', asks: false },
  { name: 'write_file', text: 'Writes a file of the workspace', asks: true },
  { name: 'edit_file', text: 'Changes a file of the workspace', asks: true },
  { name: 'fetch_url', text: 'Reads a public web address', asks: true },
  { name: 'update_plan', text: 'Keeps a plan you can see', asks: false },
  { name: 'carry_over', text: 'Marks what must survive a summary', asks: false },
  { name: 'mask_tool_result', text: 'Sets a large result aside', asks: false },
  { name: 'recall', text: 'Reads back what was folded or set aside', asks: false },
  { name: 'delegate', text: 'Gives a part of the work to a helper with its own context', asks: false },
];

/** What is offered for an agent: the known tools, and any other it already names. */
export function offeredTools(named: readonly string[]): typeof knownTools {
  const known = new Set(knownTools.map((tool) => tool.name));
  const others = named
    .filter((name) => !known.has(name))
    .map((name) => ({ name, text: 'From a connected server', asks: true }));
  return [...knownTools, ...others];
}
