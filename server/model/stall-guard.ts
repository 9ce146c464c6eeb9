/** Starts a timer and returns how to stop it; handed in, so that a test fires it by hand. */
export type StartTimer = (ms: number, fire: () => void) => () => void;

/** How much longer than a silence the wait for the first content may be: local servers read a long prompt for minutes, and send keep-alives meanwhile (case-D03). */
const FIRST_CONTENT_FACTOR = 5;

export interface StallGuard {
  /** Any byte: the silence starts anew. */
  readonly touch: () => void;
  /** Text, reasoning or a call arrived: only silence counts from here on. */
  readonly sawContent: () => void;
  readonly stop: () => void;
}

/** Fires `onStall` once, after `stallMs` without any byte, or 5 × `stallMs` without any content. */
export function startStallGuard(
  stallMs: number,
  deps: { readonly startTimer: StartTimer; readonly onStall: (text: string) => void },
): StallGuard {
  const seconds = Math.round(stallMs / 1_000);
  const silence = () => deps.startTimer(stallMs, () => fire(`The provider sent nothing for ${seconds} s.`));
  const fire = (text: string) => {
    stop();
    deps.onStall(text);
  };
  let stopSilence = silence();
  const stopFirst = deps.startTimer(stallMs * FIRST_CONTENT_FACTOR, () =>
    fire(`The provider sent no content for ${seconds * FIRST_CONTENT_FACTOR} s.`),
  );
  let stopped = false;
  function stop(): void {
    stopped = true;
    stopSilence();
    stopFirst();
  }
  return {
    touch: () => {
      if (stopped) return;
      stopSilence();
      stopSilence = silence();
    },
    sawContent: stopFirst,
    stop,
  };
}
