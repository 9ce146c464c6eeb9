import type { CarryOver, CarryOversAnswer, CreateCarryOver } from '@/server/contract/carry-over';
import { AppError } from '@/server/contract/error';
import type { PlanItem } from '@/server/contract/shapes';
import { countBytes } from '@/server/contract/text';
import type { SessionState } from '@/server/core/projection/state-shape';
import type { SessionWriter } from './append-events';

export interface SmallChangesDeps {
  readonly writer: SessionWriter;
  /** Bytes that carry-overs may take of the next summary (`contract.md` 7, carry bound). */
  readonly carryBoundOf: (session: SessionState) => number;
}

/** Plan and carry-overs as a person changes them (L5, K1). */
export interface SmallChanges {
  plan(sessionId: string): Promise<{ readonly items: readonly PlanItem[] }>;
  setPlan(sessionId: string, items: readonly PlanItem[]): Promise<{ readonly items: readonly PlanItem[] }>;
  carryOvers(sessionId: string): Promise<CarryOversAnswer>;
  /** Refuses one larger than the bound, with both sizes. */
  carry(sessionId: string, request: CreateCarryOver, by: string): Promise<CarryOversAnswer['carryOvers'][number]>;
  dropCarryOver(sessionId: string, carryId: string): Promise<void>;
  /** Every id of the list, once, in the wanted order; else `conflict`: the list has changed meanwhile. */
  orderCarryOvers(sessionId: string, ids: readonly string[]): Promise<CarryOversAnswer>;
  /** Keeps its place; refuses one larger than the bound, with both sizes. */
  editCarryOver(sessionId: string, change: { readonly carryId: string; readonly text: string }): Promise<CarryOver>;
}

/** Each of these is one decision of the writer. */
export function createSmallChanges({ writer, carryBoundOf }: SmallChangesDeps): SmallChanges {
  const list = async (sessionId: string): Promise<CarryOversAnswer> => {
    const { session } = await writer.load(sessionId);
    return toCarryOvers(session, carryBoundOf(session));
  };
  return {
    plan: async (sessionId) => ({ items: (await writer.load(sessionId)).session.plan?.items ?? [] }),
    setPlan: (sessionId, items) =>
      writer.append(sessionId, ({ session }) => {
        const after = session.items.at(-1)?.id ?? null;
        return { events: [{ type: 'plan.set', items: [...items], by: 'person', after }], result: { items } };
      }),
    carryOvers: list,
    carry: async (sessionId, { text, itemId }, by) => {
      await writer.append(sessionId, ({ session }) => {
        refuseTooLarge(text, carryBoundOf(session));
        if (itemId !== undefined && !session.items.some((item) => item.id === itemId)) {
          throw new AppError('not_found', 'That message is not part of this conversation as it stands.');
        }
        return { events: [{ type: 'carry.marked', text, sourceItem: itemId ?? null, by }], result: undefined };
      });
      const marked = (await list(sessionId)).carryOvers[0];
      if (!marked) throw new AppError('internal', 'The carry-over was not kept.');
      return marked;
    },
    dropCarryOver: (sessionId, carryId) =>
      writer.append(sessionId, ({ session }) => {
        if (!session.carryOvers.some((carry) => carry.id === carryId))
          throw new AppError('not_found', 'There is no such carry-over.');
        return { events: [{ type: 'carry.removed', carryId }], result: undefined };
      }),
    orderCarryOvers: async (sessionId, ids) => {
      await writer.append(sessionId, ({ session }) => {
        const marked = session.carryOvers.map(({ id }) => id);
        if (
          new Set(ids).size !== marked.length ||
          ids.length !== marked.length ||
          !marked.every((id) => ids.includes(id))
        )
          throw new AppError('conflict', 'The carry-overs have changed meanwhile.', { details: { ids: marked } });
        const isSo = marked.every((id, at) => ids[at] === id);
        return { events: isSo ? [] : [{ type: 'carry.ordered', carryIds: [...ids] }], result: undefined };
      });
      return list(sessionId);
    },
    editCarryOver: async (sessionId, { carryId, text }) => {
      await writer.append(sessionId, ({ session }) => {
        if (!session.carryOvers.some((carry) => carry.id === carryId))
          throw new AppError('not_found', 'There is no such carry-over.');
        refuseTooLarge(text, carryBoundOf(session));
        return { events: [{ type: 'carry.edited', carryId, text }], result: undefined };
      });
      const edited = (await list(sessionId)).carryOvers.find((carry) => carry.id === carryId);
      if (!edited) throw new AppError('internal', 'The carry-over was not kept.');
      return edited;
    },
  };
}

function refuseTooLarge(text: string, bound: number): void {
  const bytes = countBytes(text);
  if (bytes <= bound) return;
  throw new AppError('invalid_request', `This takes ${bytes} bytes; all carry-overs together may take ${bound}.`);
}

/** In list order, with the line below which nothing would survive a compaction now. */
function toCarryOvers(session: SessionState, boundBytes: number): CarryOversAnswer {
  let used = 0;
  let isOpen = true;
  const carryOvers = session.carryOvers.map((carry) => {
    const bytes = countBytes(carry.text);
    isOpen = isOpen && used + bytes <= boundBytes;
    if (isOpen) used += bytes;
    return { ...carry, bytes, fits: isOpen, droppedBy: droppedBy(session, carry.id) };
  });
  return { carryOvers, bytes: carryOvers.reduce((sum, carry) => sum + carry.bytes, 0), boundBytes };
}

function droppedBy(session: SessionState, carryId: string): string[] {
  return session.path.flatMap((event) =>
    !('unknown' in event) &&
    event.type === 'checkpoint.committed' &&
    event.carry.dropped.some(({ id }) => id === carryId)
      ? [event.id]
      : [],
  );
}
