const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

const DURATION = /^(?:\d+(?:\.\d+)?(?:h|ms|m|s))+$/;
const PART = /(\d+(?:\.\d+)?)(h|ms|m|s)/g;

/**
 * Milliseconds of `5m0s`, `1h30m`, `250ms` (docs/contract/http-api.md#11-transport-and-formats), or `undefined` when
 * the text is no duration.
 */
export function parseDuration(text: string): number | undefined {
  if (text === "0") return 0;
  if (!DURATION.test(text)) return undefined;
  const parts = [...text.matchAll(PART)].map(
    ([, amount, unit]) => Number(amount) * (UNIT_MS[unit ?? ""] ?? 0),
  );
  const ms = Math.round(parts.reduce((sum, part) => sum + part, 0));
  return Number.isSafeInteger(ms) ? ms : undefined;
}

/**
 * Formats milliseconds as in `1h0m0s`, `5m0s` and `250ms`. Units below the largest one are written even if they are
 * zero.
 */
export function formatDuration(ms: number): string {
  if (ms < 1000) return ms === 0 ? "0s" : `${ms}ms`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor(ms / 60_000) % 60;
  const seconds = (ms % 60_000) / 1000;
  if (hours > 0) return `${hours}h${minutes}m${seconds}s`;
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}
