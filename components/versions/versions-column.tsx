'use client';

import { useState } from 'react';
import type { VersionInfo } from '@/server/contract/versions';
import { Button } from '../ui/button';
import { formatDate } from '../ui/format-time';
import { useNow } from '../ui/use-now';

export type VersionsColumnProps = {
  readonly versions: readonly VersionInfo[];
  readonly draftChanged: boolean;
  readonly onView: (version: number) => void;
  readonly onCompare: (from: number, to: number | 'draft') => void;
};

/** Published versions, newest first. One is viewed by its row, two are compared by their ticks; nothing here overwrites. */
export function VersionsColumn({ versions, draftChanged, onView, onCompare }: VersionsColumnProps) {
  const [picked, setPicked] = useState<readonly number[]>([]);
  const [from, to] = picked.toSorted((a, b) => a - b);
  // The server tells them in the order they were published.
  const rows = versions.toSorted((a, b) => b.version - a.version);
  const newest = rows[0]?.version;
  const pick = (version: number, on: boolean) =>
    // A third tick lets the oldest of the two go: two are always what is meant.
    setPicked(on ? [...picked, version].slice(-2) : picked.filter((other) => other !== version));
  return (
    <section aria-label="Versions" className="flex flex-col gap-2">
      <h2 className="title-3">Versions</h2>
      {versions.length === 0 ? (
        <p className="record text-ink-2">None yet. A draft is used by no conversation until it is published.</p>
      ) : null}
      {draftChanged && newest !== undefined ? (
        <Button look="link" className="self-start" onClick={() => onCompare(newest, 'draft')}>
          What the draft would change
        </Button>
      ) : null}
      <ol className="flex flex-col">
        {rows.map((info) => (
          <VersionRow
            key={info.version}
            info={info}
            picked={picked.includes(info.version)}
            onPick={(on) => pick(info.version, on)}
            onView={() => onView(info.version)}
          />
        ))}
      </ol>
      {versions.length > 1 ? (
        <Button
          disabled={from === undefined || to === undefined}
          className="self-start"
          onClick={() => (from !== undefined && to !== undefined ? onCompare(from, to) : undefined)}
        >
          {from !== undefined && to !== undefined ? `Compare v${from} and v${to}` : 'Tick two to compare'}
        </Button>
      ) : null}
    </section>
  );
}

type VersionRowProps = {
  readonly info: VersionInfo;
  readonly picked: boolean;
  readonly onPick: (on: boolean) => void;
  readonly onView: () => void;
};

function VersionRow({ info, picked, onPick, onView }: VersionRowProps) {
  const now = useNow();
  const date = now ? formatDate(new Date(info.at), now) : '';
  const behind = info.conversations > 0 && !info.current;
  return (
    <li className="flex items-start gap-2.5 border-b border-line py-2">
      <input
        type="checkbox"
        className="check mt-0.5 shrink-0"
        aria-label={`Compare v${info.version}`}
        checked={picked}
        onChange={(event) => onPick(event.target.checked)}
      />
      <button type="button" onClick={onView} className="min-w-0 flex-1 rounded-tag text-left hover:[&_b]:underline">
        <span className="flex items-baseline gap-2">
          <b className="font-[650]">v{info.version}</b>
          {info.current ? <span className="text-small text-ok">current</span> : null}
          <span className="numbers ml-auto text-small text-ink-3">{date}</span>
        </span>
        {info.note ? <span className="record block text-ink-2">{info.note}</span> : null}
        <span className="block text-small text-ink-3">
          {[`by ${info.by}`, behind ? `${info.conversations} still on it` : ''].filter(Boolean).join(' · ')}
        </span>
      </button>
    </li>
  );
}
