import { type Clock, type Instant, parseInstant } from "../../base/clock.ts";
import { SvcError } from "../../contract/errors.ts";

/**
 * Reads a span of time from a request; without `until` the span ends now
 * (docs/contract/http-api.md#37-events-digest-audit-undo). Throws if `until` is before `since`. Throws also if both are
 * the same instant, unless `allowsInstant` is set.
 */
export function spanOf(
  { since, until }: { readonly since: string; readonly until?: string | undefined },
  clock: Pick<Clock, "now">,
  { allowsInstant = false }: { readonly allowsInstant?: boolean } = {},
): { readonly since: Instant; readonly until: Instant } {
  const span = {
    since: instant("since", since),
    until: until === undefined ? clock.now() : instant("until", until),
  };
  if (span.until < span.since || (span.until === span.since && !allowsInstant)) {
    throw new SvcError("validation", { field: "until" }, { message: "until must be after since" });
  }
  return span;
}

function instant(field: string, text: string): Instant {
  const instant = parseInstant(text);
  if (instant !== undefined) return instant;
  const message = `${field}: must be an RFC 3339 instant`;
  throw new SvcError("validation", { field }, { message });
}
