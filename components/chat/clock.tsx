import { formatClock } from '../ui/format-time';

/** When it was said, in the margin left of the sheet; left out where there is no room for it. */
export function Clock({ at }: { readonly at: string }) {
  if (at === '') return null;
  const time = new Date(at);
  return (
    <time dateTime={at} title={time.toLocaleString()} className="clock numbers">
      {formatClock(time)}
    </time>
  );
}
