/** Which floor a file lives on; null for files outside the house (scripts, e2e, bench, configuration). */
export type Floor =
  | 'contract'
  | 'core'
  | 'ports'
  | 'model'
  | 'tools'
  | 'db'
  | 'jobs'
  | 'session'
  | 'container'
  | 'http'
  | 'app'
  | 'components';

const LEAVES: readonly Floor[] = ['contract', 'core', 'ports'];
const MIDDLE: readonly Floor[] = ['model', 'tools', 'db', 'jobs'];
const UP_TO_SESSION: readonly Floor[] = [...LEAVES, ...MIDDLE, 'session'];

/** house.md, Floors: whom each floor may import besides itself. Siblings in braces are handed to each other by the container. */
export const MAY_IMPORT: Readonly<Record<Floor, readonly Floor[]>> = {
  contract: [],
  core: ['contract'],
  ports: ['contract', 'core'],
  model: LEAVES,
  tools: LEAVES,
  db: LEAVES,
  jobs: LEAVES,
  session: [...LEAVES, ...MIDDLE],
  container: UP_TO_SESSION,
  http: UP_TO_SESSION,
  app: [...UP_TO_SESSION, 'container', 'http', 'components'],
  components: ['contract'],
};

const FOLDERS: readonly (readonly [string, Floor])[] = [
  ['server/contract/', 'contract'],
  ['server/core/', 'core'],
  ['server/ports/', 'ports'],
  ['server/model/', 'model'],
  ['server/tools/', 'tools'],
  ['server/jobs/', 'jobs'],
  ['server/session/', 'session'],
  ['server/http/', 'http'],
  ['server/container', 'container'],
  ['db/', 'db'],
  ['app/', 'app'],
  ['components/', 'components'],
];

export const floorOf = (path: string): Floor | null => FOLDERS.find(([folder]) => path.startsWith(folder))?.[1] ?? null;

export const isTest = (path: string): boolean =>
  /\.test\.tsx?$/.test(path) || /(^|\/)(testing|contract-tests)\//.test(path);
/** Inside `server` or `db`, where the strictest rules hold. */
export const isServer = (path: string): boolean => path.startsWith('server/') || path.startsWith('db/');
/** Files the package rules are about; scripts, browser tests and benchmarks stand outside and may use what they need. */
export const isHouse = (path: string): boolean => floorOf(path) !== null || isServer(path) || isConfig(path);
const isConfig = (path: string): boolean => !path.includes('/');
const isWorkspaceDriver = (path: string): boolean => path.startsWith('server/tools/workspace');

interface PackageRule {
  readonly packages: RegExp;
  readonly allowed: (path: string) => boolean;
  readonly because: string;
}

/** Which packages only some floors may know. Each names the house rule it keeps. */
export const PACKAGE_RULES: readonly PackageRule[] = [
  {
    packages: /^(ai|@ai-sdk\/(?!mcp$).+)(\/|$)/,
    allowed: (path) => floorOf(path) === 'model',
    because: 'only server/model knows the AI SDK',
  },
  {
    packages: /^@ai-sdk\/mcp$/,
    allowed: (path) => floorOf(path) === 'model' || floorOf(path) === 'tools',
    because: 'only server/model and server/tools know MCP',
  },
  {
    packages: /^(drizzle-orm|better-sqlite3|pg|postgres)(\/|$)/,
    allowed: (path) => floorOf(path) === 'db',
    because: 'only db knows a database',
  },
  {
    packages: /^(node:)?fs(\/promises)?$/,
    allowed: (path) => floorOf(path) === 'db' || isWorkspaceDriver(path),
    because: 'only db (and the workspace tool driver) knows a disk',
  },
  {
    packages: /^next(\/|$)/,
    allowed: (path) => floorOf(path) === 'app' || floorOf(path) === 'components' || isConfig(path),
    because: 'only app, components and configuration know Next',
  },
  {
    packages: /^react(-dom)?(\/|$)/,
    allowed: (path) => !isServer(path),
    because: 'react is never under server or db',
  },
  {
    packages: /^node:(?!crypto$|zlib$)/,
    allowed: (path) => floorOf(path) !== 'core' && floorOf(path) !== 'contract',
    because: 'core and contract are pure (only the hashes of node:crypto and node:zlib are functions)',
  },
  {
    packages: /^node:/,
    allowed: (path) => floorOf(path) !== 'components',
    because: 'components run in the browser',
  },
];

interface TextRule {
  readonly name: string;
  readonly pattern: RegExp;
  readonly applies: (path: string) => boolean;
  /** `code` has strings blanked; `noComments` keeps them. */
  readonly on: 'code' | 'noComments';
}

const everywhere = (): boolean => true;
const inCore = (path: string): boolean => floorOf(path) === 'core';

/** What no file may write, line by line. */
export const TEXT_RULES: readonly TextRule[] = [
  {
    name: 'any is never a type',
    pattern: /(?:(?:[:<|&]|=>|\bas|\bextends)\s*|<[^()]*,\s*)any\b(?!\s*[:(.?]|\w)/,
    applies: everywhere,
    on: 'code',
  },
  { name: 'no as unknown as', pattern: /\bas\s+unknown\s+as\b/, applies: everywhere, on: 'code' },
  { name: 'no Server Actions', pattern: /^\s*(['"])use server\1/, applies: everywhere, on: 'noComments' },
  {
    name: 'no cast in core',
    pattern: /[\w)\]}>]\s+as\s+(?!const\b)[\w{[(]/,
    applies: inCore,
    on: 'code',
  },
  {
    name: 'core is pure (no async, clock, randomness, I/O)',
    pattern:
      /\b(?:async|await)\b|\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.random\b|\bperformance\.|\bset(?:Timeout|Interval|Immediate)\b|\bprocess\.|\bfetch\(|\brandomUUID\b|\brandomBytes\b|\bconsole\./,
    applies: inCore,
    on: 'code',
  },
  {
    name: 'rel-S27: no file call opens a SQLite file (closing it would drop the locks)',
    pattern:
      /\b(?:open|openSync|readFile|readFileSync|writeFile|writeFileSync|appendFile|appendFileSync|copyFile|copyFileSync|createReadStream|createWriteStream|truncate|truncateSync|cp|cpSync|openAsBlob)\s*\([^)]*sqlite/i,
    applies: isServer,
    on: 'noComments',
  },
  {
    name: 'no module-level mutable state outside the container',
    pattern:
      /^(?:export\s+)?(?:(?:let|var)\s|const\s[^=]*=\s*(?:new (?:Map|Set|WeakMap|WeakSet|AbortController|EventEmitter)(?:<[^()]*>)?\(\s*\)|\[\]|\{\});?)/,
    applies: (path) => (isServer(path) && floorOf(path) !== 'container') || /^app\/v1\//.test(path),
    on: 'code',
  },
];

/** house.md, Sizes: past this many lines a file is refused. */
export const maxLinesOf = (path: string): number =>
  path.startsWith('components/') && path.endsWith('.tsx') && !isTest(path) ? 250 : 400;
