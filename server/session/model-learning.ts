import { z } from 'zod';
import type { Model } from '@/server/contract/shapes';
import { calibrateBytesPerToken, isPlausible, type ReportedUsage } from '@/server/core/budget/calibrate';
import type { Learnt, LearntMemory } from '@/server/model/connection';
import type { ModelFactStore } from '@/server/ports/stores';

/** Usages of one model that are remembered; more would only make the mean slower to follow. */
const KEPT_USAGES = 20;

const factsSchema = z.object({
  learnt: z
    .object({
      window: z.number().int().optional(),
      maxOutput: z.number().int().optional(),
      strictAfterTool: z.boolean().optional(),
      refusesStreamOptions: z.boolean().optional(),
      refusesReasoning: z.boolean().optional(),
      shortCallIds: z.boolean().optional(),
    })
    .default({}),
  usages: z.array(z.object({ measureBytes: z.number(), inputTokens: z.number() })).default([]),
});

type Facts = z.infer<typeof factsSchema>;

/** What providers taught us, kept over restarts: reported windows (B7) and measured bytes a token (`contract.md` 7). */
export interface ModelLearning extends LearntMemory {
  bytesPerToken(model: Model): number;
  /** Only usages of whole requests whose measure is known; one that no text could have is left out. */
  measured(model: Model, usage: ReportedUsage): void;
}

/** What requests have taught, over its store. */
export function createModelLearning(store: ModelFactStore): ModelLearning {
  const read = (model: Model): Facts => {
    const parsed = factsSchema.safeParse(store.read(model) ?? {});
    return parsed.success ? parsed.data : { learnt: {}, usages: [] };
  };
  return {
    read: (ref) => toLearnt(read(ref).learnt),
    learn: (ref, fact) => {
      const facts = read(ref);
      store.write(ref, { ...facts, learnt: { ...facts.learnt, ...fact } });
    },
    bytesPerToken: (model) => calibrateBytesPerToken(read(model).usages),
    measured: (model, usage) => {
      if (!isPlausible(usage)) return;
      const facts = read(model);
      try {
        store.write(model, { ...facts, usages: [...facts.usages, usage].slice(-KEPT_USAGES) });
      } catch {
        // One measure fewer; a reply that has come must not be lost for it (rel-S9).
      }
    },
  };
}

/** Facts that were never learnt are absent, not undefined. */
function toLearnt(stored: Facts['learnt']): Learnt {
  return JSON.parse(JSON.stringify(stored));
}
