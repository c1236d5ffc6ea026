import { invalid } from "./invalid.ts";

/** `30m` as seconds: whole, and 60 s to 24 h (facts federation, 9). `name` is what the refusal calls it. */
export function leaseSeconds(name: string, text: string): number {
  const [, amount, unit] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const seconds = Number(amount) * ({ s: 1, m: 60, h: 3600 }[unit ?? ""] ?? Number.NaN);
  if (seconds >= 60 && seconds <= 86_400) return seconds;
  throw invalid(`${name} must be a whole number with s, m or h, 60s to 24h, not ${text}`);
}

interface LeaseWish {
  readonly holder: string;
  /** What kind of program holds it: `cli`, `tui`. */
  readonly client_kind: string;
  /** Without it the lease lasts until it is given back. */
  readonly ttl_seconds?: number | undefined;
  readonly purpose?: string | undefined;
}

/** The body of a request to acquire a lease for the caller itself. */
export function acquireBody({ holder, ttl_seconds, ...wish }: LeaseWish) {
  const claim_kind = ttl_seconds === undefined ? ("hard" as const) : ("timed" as const);
  return { ...wish, holder, claim_kind, ttl_seconds, actor: holder };
}
