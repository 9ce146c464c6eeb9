// What is installed and built, compared with what should be. Plain Node: it runs before anything is installed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE_FOLDERS = ['app', 'components', 'server', 'db', 'public'];
const SOURCE_FILES = [
  'package-lock.json',
  'next.config.ts',
  'postcss.config.mjs',
  'tsconfig.json',
  'instrumentation.ts',
];
const STAMP = '.next/tidemark-sources';

function walk(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return walk(root, path);
    return /\.test\.tsx?$/.test(entry.name) ? [] : [path];
  });
}

/** A hash over the names and contents of everything a build is made from. Tests are not. */
export function hashSources(root) {
  const hash = createHash('sha256');
  const files = [...SOURCE_FOLDERS.flatMap((folder) => walk(root, folder)), ...SOURCE_FILES].sort();
  for (const path of files) {
    if (!existsSync(join(root, path))) continue;
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** True when `.next` was built from these very sources. */
export function isBuilt(root) {
  const stamp = join(root, STAMP);
  const hasBuild = existsSync(join(root, '.next/BUILD_ID')) && existsSync(stamp);
  return hasBuild && readFileSync(stamp, 'utf8') === hashSources(root);
}

/** Remembers what the build was made from: the hash taken before it began, so an edit during the build is not missed. */
export function stampBuild(root, hash) {
  mkdirSync(join(root, '.next'), { recursive: true });
  writeFileSync(join(root, STAMP), hash);
}

/** What of the lock is not installed as it says; empty when everything is. Optional packages may be absent. */
export function findMissingPackages(wanted, installed) {
  return Object.entries(wanted.packages).flatMap(([path, entry]) => {
    if (path === '' || entry.link) return [];
    const there = installed.packages[path];
    if (there === undefined) return entry.optional || entry.devOptional || entry.peer ? [] : [path];
    return there.version === entry.version ? [] : [path];
  });
}

/** True when node_modules holds what package-lock.json names. */
export function isInstalled(root) {
  const installed = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return false;
  const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
  return findMissingPackages(read(join(root, 'package-lock.json')), read(installed)).length === 0;
}

/** True when the native part of better-sqlite3 was built or fetched. */
export function hasNativeModule(root) {
  const folder = join(root, 'node_modules/better-sqlite3');
  return ['build/Release', 'build/Debug'].some((kind) => existsSync(join(folder, kind, 'better_sqlite3.node')));
}
