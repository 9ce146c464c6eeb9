import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Copies the bundled sample workspace into a data directory that has no workspace yet; what is there stays. */
export function placeSampleWorkspace(dataDir: string, samplesDir: string): string {
  const folder = join(dataDir, 'workspace');
  const sample = join(samplesDir, 'workspace');
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (existsSync(sample)) cpSync(sample, folder, { recursive: true });
  }
  return folder;
}

/** The bundled sample conversation, byte for byte. */
export function readSampleConversation(samplesDir: string): Uint8Array {
  return readFileSync(join(samplesDir, 'conversation.jsonl'));
}
