import * as Flags from "@oclif/core/flags";
import { systemClock } from "../base/clock.ts";
import type { SvcCommand } from "./base.ts";
import { instantOf } from "./since.ts";

/** Readings of the past (docs/past.md). */
export const atFlag = (exclusive: string[] = []) =>
  Flags.string({
    summary:
      "as it was then: how long ago (90m, 12h, 7d), an RFC 3339 instant, or the number of an event",
    helpValue: "<when>",
    exclusive,
  });

/** The daemon takes instants and numbers of events. */
export function atQuery(text: string | undefined): string | undefined {
  if (text === undefined || /^\d+$/.test(text)) return text;
  return instantOf("--at", text, systemClock.nowMs());
}

interface AsOf {
  readonly as_of?: { readonly event_id: number; readonly at: string } | undefined;
}

/** What was is not taken for what is. */
export function noteAsOf(command: Pick<SvcCommand, "surroundings">, { as_of }: AsOf): void {
  if (as_of === undefined) return;
  const { event_id, at } = as_of;
  command.surroundings.stderr.write(`as it was at ${at} (event ${event_id})\n`);
}
