/** Starts a timer and returns how to stop it; handed in, so that a test fires it by hand. */
export type StartTimer = (ms: number, fire: () => void) => () => void;

/** How much longer than a silence the wait for content may be: local servers read a long prompt for minutes, and send keep-alives meanwhile (case-D03). */
const CONTENT_FACTOR = 5;

export interface StallGuard {
  /** Any byte: the silence starts anew. */
  readonly touch: () => void;
  /** Text, reasoning, or a piece of a call arrived: the wait for content starts anew. */
  readonly sawContent: () => void;
  readonly stop: () => void;
}

/** Fires `onStall` once, after `stallMs` without any byte, or 5 × `stallMs` in which nothing but keep-alives came (rel-R1). */
export function startStallGuard(
  stallMs: number,
  deps: { readonly startTimer: StartTimer; readonly onStall: (text: string) => void },
): StallGuard {
  const seconds = Math.round(stallMs / 1_000);
  const fire = (text: string) => {
    stop();
    deps.onStall(text);
  };
  const silence = () => deps.startTimer(stallMs, () => fire(`The provider sent nothing for ${seconds} s.`));
  const content = () =>
    deps.startTimer(stallMs * CONTENT_FACTOR, () =>
      fire(`The provider sent no content for ${seconds * CONTENT_FACTOR} s.`),
    );
  let stopSilence = silence();
  let stopContent = content();
  let stopped = false;
  function stop(): void {
    stopped = true;
    stopSilence();
    stopContent();
  }
  return {
    touch: () => {
      if (stopped) return;
      stopSilence();
      stopSilence = silence();
    },
    sawContent: () => {
      if (stopped) return;
      stopContent();
      stopContent = content();
    },
    stop,
  };
}
