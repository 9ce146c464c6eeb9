import { fileURLToPath } from 'node:url';
import { createDocumentStore } from '@/db/sqlite/document-store';
import { openMemorySqlite } from '@/db/sqlite/open';
import { agentContentSchema } from '@/server/contract/agent';
import { skillContentSchema } from '@/server/contract/skill';
import type { ComposedPrompt } from '@/server/core/prompt/compose';
import { createLibrary } from '@/server/session/library';
import { agentNow, composeNow } from '@/server/session/prompt-sources';
import { SEED_IDS, seedLibrary } from '@/server/session/seeds';

const MIGRATIONS = fileURLToPath(new URL('../../db/migrations', import.meta.url));

/** The prompt of a conversation held when the seeded agent and its skills had only their first versions. */
export function composeFirstVersions(nextId: () => string): ComposedPrompt {
  const sqlite = openMemorySqlite(MIGRATIONS);
  const rest = {
    store: createDocumentStore(sqlite.db),
    clock: { now: () => 0 },
    ids: { next: nextId, seen: () => {} },
  };
  const noChange = { texts: [], onChanged: () => {} };
  const agents = createLibrary({ kind: 'agent', schema: agentContentSchema, ...rest, ...noChange });
  const skills = createLibrary({ kind: 'skill', schema: skillContentSchema, ...rest, ...noChange });
  seedLibrary({ agents, skills }, true);
  const first = {
    agents: { ...agents, published: (id: string) => agents.published(id, 1) },
    skills: { ...skills, published: (id: string) => skills.published(id, 1) },
  };
  const prompt = composeNow(first, agentNow(first, SEED_IDS.guide));
  sqlite.close();
  if (prompt === null) throw new Error('the seeds hold no agent');
  return prompt;
}
