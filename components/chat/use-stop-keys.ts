'use client';

import { type KeyboardEvent, useRef } from 'react';

/** Two presses within this stop what runs. Milliseconds. */
const withinMs = 2_000;

export type StopKeys = {
  readonly busy: boolean;
  readonly onStop?: () => void;
  readonly speak: (text: string) => void;
};

/** Escape twice stops; the first press says so, so that nothing ends by a slip. True when the key was used. */
export function useStopKeys({ busy, onStop, speak }: StopKeys): (event: KeyboardEvent) => boolean {
  const pressedAt = useRef(Number.NEGATIVE_INFINITY);
  return (event) => {
    if (event.key !== 'Escape' || !busy || !onStop) return false;
    event.preventDefault();
    if (event.timeStamp - pressedAt.current <= withinMs) {
      pressedAt.current = Number.NEGATIVE_INFINITY;
      onStop();
    } else {
      pressedAt.current = event.timeStamp;
      speak('Press Escape again to stop');
    }
    return true;
  };
}
