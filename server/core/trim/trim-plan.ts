import { isUserItem } from '@/server/core/projection/model-view-groups';
import { isTrip } from '@/server/core/projection/model-view-left-out';
import type { TrimUnit, TrimWork } from './work';

export interface TrimPlanInput {
  readonly work: TrimWork;
  readonly roomBytes: number;
  readonly lowMarkBytes: number;
}

/** The bounds of one trim, and which pieces it spares as long as it can. */
export class TrimPlan {
  readonly work: TrimWork;
  readonly roomBytes: number;
  readonly lowMarkBytes: number;
  /** The first message that a person wrote, no command, wherever it stands in the view (B3). */
  readonly first: TrimUnit | null;
  readonly newest: TrimUnit | null;
  /** The newest batch before any model has read it, or the reply that the person wants continued. */
  readonly unread: TrimUnit | null;

  constructor({ work, roomBytes, lowMarkBytes }: TrimPlanInput) {
    this.work = work;
    this.roomBytes = roomBytes;
    this.lowMarkBytes = lowMarkBytes;
    const { items } = work.state;
    const firstId = items.find((item) => item.event.type === 'message.user' && item.event.kind === 'person')?.id;
    const newestId = items.findLast(isUserItem)?.id;
    this.first = work.units.find(({ group }) => group.item.id === firstId) ?? null;
    this.newest = work.units.find(({ group }) => group.item.id === newestId) ?? null;
    const last = work.units.at(-1);
    const isWaiting = last?.group.kind === 'reply' && (isTrip(last.group) || last.group.isContinued);
    this.unread = last !== undefined && isWaiting && !work.isLeftOut(last) ? last : null;
  }

  get isOverLowMark(): boolean {
    return this.work.bytes > this.lowMarkBytes;
  }

  get isOverRoom(): boolean {
    return this.work.bytes > this.roomBytes;
  }

  /** Pieces that passes 1 to 4 may take, oldest first, while the low mark is not reached. */
  *takeable(): Generator<TrimUnit> {
    for (const unit of this.work.units) {
      if (!this.isOverLowMark) return;
      if (unit.kept !== null || unit === this.unread || this.work.isLeftOut(unit)) continue;
      yield unit;
    }
  }
}
