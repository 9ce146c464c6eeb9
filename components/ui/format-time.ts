const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Midnight of the local day `daysBack` days before the one of `at`. Daylight saving makes days of 23 and 25 hours, so by the calendar. */
export function startOfDay(at: Date, daysBack = 0): Date {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() - daysBack);
}

export function formatClock(at: Date): string {
  return `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`;
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

export function formatMonth(at: Date, now: Date): string {
  const name = months[at.getMonth()] ?? '';
  return at.getFullYear() === now.getFullYear() ? name : `${name} ${at.getFullYear()}`;
}

export function formatDate(at: Date, now: Date): string {
  return `${at.getDate()} ${formatMonth(at, now)}`;
}

/** How long ago, as the session list says it: `now`, `12 min`, `3 h`, `yesterday, 17:20`, `Tuesday`, `3 June`. */
export function formatRelative(at: Date, now: Date): string {
  const passed = now.getTime() - at.getTime();
  if (passed < minuteMs) return 'now';
  if (at >= startOfDay(now))
    return passed < hourMs ? `${Math.floor(passed / minuteMs)} min` : `${Math.floor(passed / hourMs)} h`;
  if (at >= startOfDay(now, 1)) return `yesterday, ${formatClock(at)}`;
  if (at >= startOfDay(now, 6)) return weekdays[at.getDay()] ?? '';
  return formatDate(at, now);
}

/** A duration for people: `0.4 s`, `12 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)}\u00a0s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}\u00a0s`;
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)}\u00a0min${rest > 0 ? ` ${rest}\u00a0s` : ''}`;
}
