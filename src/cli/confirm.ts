import * as Flags from "@oclif/core/flags";
import type { SvcCommand } from "./base.ts";
import { usage } from "./failure.ts";
import { textFlag } from "./flags.ts";

/** What destroys takes both: `--force`, and the text that the daemon wants to hear (facts cli-and-config 2.2). */
export const confirmFlags = {
  force: Flags.boolean({ summary: "mean it; required" }),
  confirm: textFlag("the text that confirms it, instead of typing it when asked", "<text>"),
};

interface Given {
  readonly force?: boolean | undefined;
  readonly confirm?: string | undefined;
}

/** The header that confirms: what was given, or typed at a terminal; else none, and the daemon refuses and says which. */
export async function confirmation(
  { surroundings }: Pick<SvcCommand, "surroundings">,
  { force, confirm }: Given,
  expected: () => Promise<string>,
): Promise<{ readonly "x-svc-confirm"?: string }> {
  if (force !== true) throw usage("this needs --force");
  if (confirm !== undefined) return { "x-svc-confirm": confirm };
  if (!surroundings.stderr.isTerminal) return {};
  surroundings.stderr.write(`Type ${await expected()} to confirm: `);
  const typed = surroundings.readLine();
  return typed === undefined ? {} : { "x-svc-confirm": typed };
}
