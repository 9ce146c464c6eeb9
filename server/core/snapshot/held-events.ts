import type { EventType, LogEvent, StoredEvent } from '@/server/contract/events/event';
import { parseLine } from '@/server/core/log/parse-line';
import { isKnown } from '@/server/core/projection/log-state-path';
import type { ColdSource } from './cold-log';
import type { Snapshot } from './snapshot-shape';

/** The events that a snapshot names, each read once. Throws `RangeError` where one is not what the snapshot says. */
export class HeldEvents {
  readonly places: ReadonlyMap<number, { readonly from: number; readonly bytes: number }>;
  readonly events: ReadonlyMap<number, LogEvent>;

  constructor(held: Snapshot['held'], source: ColdSource) {
    const places = new Map<number, { from: number; bytes: number }>();
    const events = new Map<number, LogEvent>();
    for (const [firstSeq, firstByte, lengths] of held) {
      let from = firstByte;
      lengths.forEach((bytes, place) => {
        const seq = firstSeq + place;
        places.set(seq, { from, bytes });
        events.set(seq, readEvent(source, { from, bytes, seq }));
        from += bytes + 1;
      });
    }
    this.places = places;
    this.events = events;
  }

  at(seq: number): LogEvent {
    const event = this.events.get(seq);
    if (event === undefined) throw new RangeError(`the snapshot holds no line ${seq}`);
    return event;
  }

  of<T extends EventType>(type: T, seq: number): StoredEvent<T> {
    const event = this.at(seq);
    if (!isKnown(event) || !isOfType(event, type)) throw new RangeError(`line ${seq} is no ${type}`);
    return event;
  }

  ofOrNull<T extends EventType>(type: T, seq: number | null): StoredEvent<T> | null {
    return seq === null ? null : this.of(type, seq);
  }
}

/** Reads one line of a log and holds it against what is known of it. */
function readEvent(source: ColdSource, place: { from: number; bytes: number; seq: number }): LogEvent {
  const parsed = parseLine(source.line(place), place.seq);
  if (parsed.kind !== 'event' || parsed.event.seq !== place.seq) throw new RangeError(`line ${place.seq} has changed`);
  return parsed.event;
}

/** Told by its type, which is what narrows an event everywhere else too. */
export function isOfType<T extends EventType>(event: { readonly type: EventType }, type: T): event is StoredEvent<T> {
  return event.type === type;
}
