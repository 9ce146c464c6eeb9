import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Copies the bundled sample workspace into a data directory that has no workspace yet; what is there stays. */
export function placeSampleWorkspace(dataDir: string, samplesDir: string): string {
  const folder = join(dataDir, 'workspace');
  const sample = join(samplesDir, 'workspace');
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (existsSync(sample)) cpSync(sample, folder, { recursive: true });
    keepPrivate(folder);
  }
  return folder;
}

/** A copy has the modes of what it was copied from; what is kept here is its owner's alone (rel-S30). */
function keepPrivate(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
}

/** The bundled sample conversation, byte for byte. */
export function readSampleConversation(samplesDir: string): Uint8Array {
  return readFileSync(join(samplesDir, 'conversation.jsonl'));
}
