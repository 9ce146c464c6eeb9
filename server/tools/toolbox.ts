import type { ToolSchema } from '@/server/contract/events/view-events';
import { listFiles } from './list-files';
import { maskToolResult } from './mask-tool-result';
import { readFile } from './read-file';
import { recall } from './recall';
import { searchFiles } from './search-files';
import type { Tool } from './tool';
import { updatePlan } from './update-plan';

/** Every built-in tool, in the order schemas are sent: the order is part of the cached prefix. */
export const BUILT_IN_TOOLS: readonly Tool[] = [listFiles, readFile, searchFiles, updatePlan, maskToolResult, recall];

/** The tools an agent names, in the order of this list; names that no tool has are left out. */
export function pickTools(names: readonly string[]): readonly Tool[] {
  return BUILT_IN_TOOLS.filter((tool) => names.includes(tool.schema.name));
}

/** The built-in tool of this name; null where there is none. */
export function findTool(name: string): Tool | null {
  return BUILT_IN_TOOLS.find((tool) => tool.schema.name === name) ?? null;
}

/** What a model is told of tools. */
export function toSchemas(tools: readonly Tool[]): readonly ToolSchema[] {
  return tools.map((tool) => tool.schema);
}
