'use client';

import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { classNames } from '../ui/class-names';

export type SplitterProps = {
  readonly label: string;
  /** Width of the rail in rem. */
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly initial: number;
  /** On which side of the splitter the rail is. */
  readonly side: 'left' | 'right';
  readonly className?: string;
  readonly onChange: (rem: number) => void;
};

/** The edge of a rail: dragged, or moved with the arrow keys by one rem; a double click goes back to the drawn width. */
export function Splitter(props: SplitterProps) {
  const { label, value, min, max, initial, side, className, onChange } = props;
  const drag = useRef<{ x: number; value: number } | null>(null);
  const direction = side === 'left' ? 1 : -1;
  const set = (rem: number) => onChange(Math.round(Math.max(min, Math.min(max, rem)) * 4) / 4);
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: value + direction,
      ArrowLeft: value - direction,
      Home: min,
      End: max,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    set(next);
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, value };
  };
  const onPointerMove = (event: PointerEvent) => {
    if (!drag.current) return;
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    set(drag.current.value + (direction * (event.clientX - drag.current.x)) / rem);
  };
  const stop = () => {
    drag.current = null;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a focusable separator is the splitter pattern; hr cannot take values.
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      className={classNames(
        'absolute inset-y-0 z-10 w-2 cursor-col-resize touch-none hover:bg-line focus-visible:bg-accent-wash max-rail:hidden',
        className,
      )}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={stop}
      onPointerCancel={stop}
      onDoubleClick={() => onChange(initial)}
    />
  );
}
