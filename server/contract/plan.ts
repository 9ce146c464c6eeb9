import { z } from 'zod';
import { planItemSchema } from './shapes';

/** The plan as the application keeps it; `PUT` replaces the whole list (L5). */

/** Of items that are done or to do, any number; in work at most one is drawn first, more are allowed. */
export const putPlanSchema = z
  .strictObject({ items: z.array(planItemSchema).max(200) })
  .refine((plan) => new Set(plan.items.map((item) => item.id)).size === plan.items.length, {
    error: 'an id stands in the plan twice',
    path: ['items'],
  });

export const planAnswerSchema = z.object({ items: z.array(planItemSchema) });
