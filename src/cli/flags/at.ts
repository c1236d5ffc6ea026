import * as Flags from "@oclif/core/flags";
import type { showIssue } from "../../contract/issues.ts";
import type { Output } from "../../contract/route.ts";
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

/** Returns the moment of `--at` for a query. The code that parses dates is loaded only if a text is given. */
export async function atQuery(text: string | undefined): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const { momentOf } = await import("../../shared/moment.ts");
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
