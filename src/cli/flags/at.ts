import * as Flags from "@oclif/core/flags";
import type { showIssue } from "../../contract/issues.ts";
import type { Output } from "../../contract/route.ts";
import { momentOf } from "../../shared/moment.ts";
import type { SvcCommand } from "../bases/svc-command.ts";
import { hereAndNow } from "./when.ts";

/** The `--at` flag of commands that can show the past (docs/past.md). */
export const atFlag = (exclusive: string[] = []) =>
  Flags.string({
    summary:
      "show the past: how long ago (90m, 12h, 7d), a day or a time (mon, 2026-01-31), or the number of an event",
    helpValue: "<when>",
    exclusive,
  });

export function atQuery(text: string | undefined): string | undefined {
  return momentOf("--at", text, hereAndNow());
}

export function noteAsOf(
  command: Pick<SvcCommand, "context">,
  { as_of }: Pick<Output<typeof showIssue>, "as_of">,
): void {
  if (as_of === undefined) return;
  const { event_id, at } = as_of;
  command.context.stderr.write(`as it was at ${at} (event ${event_id})\n`);
}
