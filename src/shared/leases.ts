import { invalid } from "../contract/errors.ts";

/**
 * Converts a duration such as `30m` to seconds. It must be from 60 s to 24 h
 * (docs/contract/cron-and-inbox.md#13-leases); `name` is used in the error.
 */
export function leaseSeconds(name: string, text: string): number {
  const [, amount, unit] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const seconds = Number(amount) * ({ s: 1, m: 60, h: 3600 }[unit ?? ""] ?? Number.NaN);
  if (seconds >= 60 && seconds <= 86_400) return seconds;
  throw invalid(`${name} must be a whole number with s, m or h, 60s to 24h, not ${text}`);
}

interface LeaseWish {
  readonly holder: string;
  /** The kind of the holding program: `cli`, `tui`. */
  readonly client_kind: string;
  /** Without a number of seconds the lease lasts until it is released. */
  readonly ttl_seconds?: number | undefined;
  readonly purpose?: string | undefined;
}

export function acquireBody({ holder, ttl_seconds, ...wish }: LeaseWish) {
  const claim_kind = ttl_seconds === undefined ? ("hard" as const) : ("timed" as const);
  return { ...wish, holder, claim_kind, ttl_seconds, actor: holder };
}
