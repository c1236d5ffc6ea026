import * as Flags from "@oclif/core/flags";
import { systemClock } from "../base/clock.ts";
import type { showIssue } from "../contract/issues.ts";
import type { Output } from "../contract/route.ts";
import { momentOf } from "../shared/moment.ts";
import type { SvcCommand } from "./base.ts";

/** The flag of commands that show the past (docs/past.md). */
export const atFlag = (exclusive: string[] = []) =>
  Flags.string({
    summary:
      "show the past: how long ago (90m, 12h, 7d), an RFC 3339 instant, or the number of an event",
    helpValue: "<when>",
    exclusive,
  });

export function atQuery(text: string | undefined): string | undefined {
  return momentOf("--at", text, systemClock.nowMs());
}

export function noteAsOf(
  command: Pick<SvcCommand, "context">,
  { as_of }: Pick<Output<typeof showIssue>, "as_of">,
): void {
  if (as_of === undefined) return;
  const { event_id, at } = as_of;
  command.context.stderr.write(`as it was at ${at} (event ${event_id})\n`);
}
