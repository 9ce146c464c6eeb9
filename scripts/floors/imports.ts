import { posix } from 'node:path';

/** One import of one file: what was written, and the project file it names (null for a package). */
export interface ImportEdge {
  readonly from: string;
  readonly written: string;
  readonly to: string | null;
}

const PATTERNS = [
  /\b(?:import|export)\b[^'"`;]*?\bfrom\s*(['"])([^'"\n]+)\1/g,
  /\bimport\s*(['"])([^'"\n]+)\1/g,
  /\b(?:import|require)\s*\(\s*(['"])([^'"\n]+)\1/g,
];
const ENDINGS = ['', '.ts', '.tsx', '.mts', '.mjs', '/index.ts', '/index.tsx'];

/** Every module a source names: static, re-exported, type-only, dynamic and required. */
export function findImports(noComments: string): readonly string[] {
  const found = new Set<string>();
  for (const pattern of PATTERNS) for (const match of noComments.matchAll(pattern)) found.add(match[2] ?? '');
  return [...found];
}

/** The project file an import names, `missing` where it names none that exists, null for a package. */
export function resolveImport(from: string, written: string, files: ReadonlySet<string>): string | 'missing' | null {
  const isAlias = written.startsWith('@/');
  if (!isAlias && !written.startsWith('.')) return null;
  const bare = isAlias ? written.slice(2) : posix.join(posix.dirname(from), written);
  const asTs = bare.replace(/\.js$/, '.ts');
  const hit = [...ENDINGS.map((ending) => bare + ending), asTs].find((path) => files.has(path));
  return hit ?? 'missing';
}

/** The import cycles of a graph, each once, written from its alphabetically first member. */
export function findCycles(edges: readonly ImportEdge[]): readonly (readonly string[])[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) if (to !== null) next.set(from, [...(next.get(from) ?? []), to]);
  const cycles = new Map<string, readonly string[]>();
  const done = new Set<string>();
  const walk = (node: string, path: readonly string[]): void => {
    const at = path.indexOf(node);
    if (at !== -1) {
      const cycle = path.slice(at);
      const first = cycle.indexOf([...cycle].sort()[0] ?? '');
      const turned = [...cycle.slice(first), ...cycle.slice(0, first)];
      cycles.set(turned.join(' → '), turned);
      return;
    }
    if (done.has(node)) return;
    for (const to of next.get(node) ?? []) walk(to, [...path, node]);
    done.add(node);
  };
  for (const node of [...next.keys()].sort()) walk(node, []);
  return [...cycles.values()];
}
