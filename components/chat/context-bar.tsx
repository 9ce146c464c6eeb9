import { useId } from 'react';
import type { ContextMeter } from '@/server/contract/context';
import { layBars, toSegments, wordMeter } from './meter-segments';

export type ContextBarProps = {
  readonly meter: ContextMeter;
  readonly width: number;
  readonly height: number;
};

/** The bar itself, for the composer's foot and the Desk; whoever draws it says its numbers in words. */
export function ContextBar({ meter, width, height }: ContextBarProps) {
  const id = useId();
  const { tick, hatched } = wordMeter(meter);
  const total = Math.max(meter.budgetBytes, meter.usedBytes);
  const bars = layBars(toSegments(meter), total, width);
  const tickAt = tick === null ? null : (tick * meter.budgetBytes * width) / total;
  const over = 3;
  return (
    <svg
      aria-hidden="true"
      className="context-bar"
      viewBox={`0 ${-over} ${width} ${height + 2 * over}`}
      preserveAspectRatio="none"
      data-hatched={hatched ? '' : undefined}
    >
      <defs>
        <pattern id={`${id}-summary`} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="4" height="4" className="bar-summary" />
          <rect width="1.5" height="4" className="bar-gap" />
        </pattern>
        <pattern id={`${id}-free`} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="1" height="4" className="bar-hatch" />
        </pattern>
      </defs>
      <rect x="0.5" y="0.5" width={width - 1} height={height - 1} rx="1.5" className="bar-free" />
      {hatched ? <rect x="1" y="1" width={width - 2} height={height - 2} fill={`url(#${id}-free)`} /> : null}
      {bars.map((bar) => (
        <rect
          key={bar.name}
          x={bar.x}
          y="0"
          width={bar.width}
          height={height}
          className={`bar-${bar.name}`}
          fill={bar.name === 'summary' ? `url(#${id}-summary)` : undefined}
        />
      ))}
      {tickAt === null ? null : (
        <rect x={tickAt - 0.75} y={-over} width="1.5" height={height + 2 * over} className="bar-tick" />
      )}
    </svg>
  );
}
