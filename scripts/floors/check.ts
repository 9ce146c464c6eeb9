import { findCycles, findImports, type ImportEdge, resolveImport } from './imports';
import { floorOf, isHouse, isServer, isTest, MAY_IMPORT, maxLinesOf, PACKAGE_RULES, TEXT_RULES } from './rules';
import { stripSource } from './strip';

/** A source file: its path from the root with forward slashes, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

function judgeEdge({ from, written, to }: ImportEdge): readonly string[] {
  const at = `${from} imports ${written}`;
  if (to === null) {
    if (!isHouse(from)) return [];
    return PACKAGE_RULES.filter((rule) => rule.packages.test(written) && !rule.allowed(from)).map(
      (rule) => `${at}: ${rule.because}`,
    );
  }
  const mine = floorOf(from);
  const theirs = floorOf(to);
  if (mine === null || theirs === null || mine === theirs || MAY_IMPORT[mine].includes(theirs)) return [];
  return [`${at}: ${mine} may not import ${theirs}`];
}

/** Renaming in an import or export list uses the word of a cast and is none. */
const blankLists = (code: string): string =>
  code.replace(/^(?:import|export)\b[^'"`;=()]*/gm, (list) => list.replace(/\bas\b/g, '  '));

function judgeText(file: SourceFile): readonly string[] {
  const { code, noComments } = stripSource(file.text);
  const stripped = { code: blankLists(code), noComments };
  const rules = TEXT_RULES.filter((rule) => rule.applies(file.path));
  return rules.flatMap((rule) =>
    stripped[rule.on].split('\n').flatMap((line, index) => {
      return rule.pattern.test(line) ? [`${file.path}:${index + 1}: ${rule.name}`] : [];
    }),
  );
}

function edgesOf(file: SourceFile, files: ReadonlySet<string>): readonly (ImportEdge | string)[] {
  const edges = findImports(stripSource(file.text).noComments).map((written) => ({
    from: file.path,
    written,
    to: resolveImport(file.path, written, files),
  }));
  return edges.map((edge) =>
    edge.to === 'missing' && !/\.(css|json|svg|woff2?)$/.test(edge.written)
      ? `${edge.from} imports ${edge.written}: no such file`
      : { ...edge, to: edge.to === 'missing' ? null : edge.to },
  );
}

/** The lines of a file, counted as an editor does: a last line break ends a line, it starts none. */
const countLines = (text: string): number => text.replace(/\n$/, '').split('\n').length;

/**
 * Every breach of the house's floors, sizes and forbidden words in these sources, as sentences; empty when the house stands.
 * Tests are held to sizes and words that concern everybody, not to floors: they may look at anything.
 */
export function checkFloors(sources: readonly SourceFile[]): readonly string[] {
  const files = new Set(sources.map((file) => file.path));
  const tooLong = sources.flatMap((file) => {
    const lines = countLines(file.text);
    const max = maxLinesOf(file.path);
    return lines > max ? [`${file.path}: ${lines} lines, more than ${max}`] : [];
  });
  const held = sources.filter((file) => !isTest(file.path));
  const homeless = held.filter(({ path }) => isServer(path) && floorOf(path) === null);
  const found = held.flatMap((file) => edgesOf(file, files));
  const missing = found.filter((entry) => typeof entry === 'string');
  const edges = found.filter((entry) => typeof entry !== 'string');
  const cycles = findCycles(edges).map((cycle) => `import cycle: ${[...cycle, cycle[0]].join(' → ')}`);
  return [
    ...homeless.map(({ path }) => `${path}: lives on no floor`),
    ...missing,
    ...edges.flatMap(judgeEdge),
    ...cycles,
    ...tooLong,
    ...held.flatMap(judgeText),
  ].sort();
}
