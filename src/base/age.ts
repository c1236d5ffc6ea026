/** Formats the time from `fromMs` to `nowMs` in one unit, such as `5m` or `3d`. */
export function age(fromMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - fromMs) / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  const days = Math.floor(seconds / 86_400);
  return days < 100 ? `${days}d` : `${Math.floor(days / 7)}w`;
}
