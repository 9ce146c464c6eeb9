import { createHash } from 'node:crypto';
import { classOf, type EventDraft } from '@/server/contract/events/event';
import type { Part } from '@/server/contract/shapes';
import type { NewEvent } from '@/server/core/log/new-event';
import type { ImportContext } from './import-shape';

/** An item that stands on a branch, as far as later lines need to know it. */
export interface WrittenItem {
  readonly id: string;
  readonly bytes: number;
  /** Of a result: the call it answers. */
  readonly callId: string | null;
}

/** Where a branch stands: its newest P line and what its path holds so far. A copy of it is the start of a fork. */
export interface BranchPen {
  readonly branch: string;
  readonly head: { readonly id: string; readonly seq: number } | null;
  readonly items: readonly WrittenItem[];
  readonly checkpoint: { readonly id: string; readonly coveredBytes: number; readonly bytes: number } | null;
  readonly at: string;
}

const maxBlobBytes = 25_000_000;

/**
 * Writes the drafts of a new log in order. It is given ids and times and assigns `seq` by place, since nothing else
 * stands in a log that is about to be created.
 */
export class ImportPen {
  readonly context: ImportContext;
  readonly logId: string;
  readonly drafts: EventDraft[] = [];
  readonly #blobs = new Set<string>();

  constructor(context: ImportContext) {
    this.context = context;
    this.logId = context.nextId();
    const opened = { format: 'tidemark-log', logId: this.logId, app: context.app } as const;
    this.#push({ type: 'log.opened', ...opened }, { branch: this.logId, at: context.at, prev: null });
  }

  /** Appends to a branch at its head and answers with where the branch stands then. */
  write(pen: BranchPen, event: NewEvent): BranchPen & { readonly written: string } {
    const id = this.#push(event, { branch: pen.branch, at: pen.at, prev: pen.head ? { id: pen.head.id } : null });
    const head = classOf(event) === 'P' ? { id, seq: this.drafts.length } : pen.head;
    return { ...pen, head, written: id };
  }

  /** As `write`, of an item: the path holds it from now on. */
  writeItem(pen: BranchPen, event: NewEvent & { readonly bytes: number }, callId: string | null = null): BranchPen {
    const { written, ...next } = this.write(pen, event);
    return { ...next, items: [...next.items, { id: written, bytes: event.bytes, callId }] };
  }

  /** Keeps image or file bytes once; null when they are no base64 or too many. */
  keepBlob(base64: string, mediaType: string): { readonly sha256: string; readonly bytes: number } | null {
    const data = Buffer.from(base64, 'base64');
    if (data.length === 0 || data.length > maxBlobBytes) return null;
    const sha256 = createHash('sha256').update(data).digest('hex');
    if (!this.#blobs.has(sha256)) {
      this.#blobs.add(sha256);
      const blob = { sha256, mediaType, bytes: data.length, data: data.toString('base64') };
      this.#push({ type: 'blob.added', ...blob }, { branch: this.logId, at: this.context.at, prev: null });
    }
    return { sha256, bytes: data.length };
  }

  #push(event: NewEvent, place: { branch: string; at: string; prev: { id: string } | null }): string {
    const id = event.id ?? this.context.nextId();
    const { branch, at, prev } = place;
    this.drafts.push(classOf(event) === 'P' ? { ...event, id, branch, at, prev } : { ...event, id, branch, at });
    return id;
  }
}

/** A text as a part of a message. */
export const toTextPart = (text: string): Part => ({ type: 'text', text });
