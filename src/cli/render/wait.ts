import { agentOutput, header, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { WaitBody, WaitResult } from "../../shared/wait.ts";
import type { View } from "../output/output.ts";
import type { Style } from "./palette.ts";

/**
 * Prints nothing for people, because a line for each issue (`waitResultLine`) was printed as soon as its condition was
 * met.
 */
export const waitView: View<WaitBody> = {
  human: () => "",
  agent: ({ results, pending, timed_out, abandoned = [] }, quiet) => {
    const rows = [
      ...results.map(({ ref, reason, attention, attention_msg, waited_ms }) =>
        row({ issue: ref, reason, attention, attention_msg, waited_ms }),
      ),
      ...abandoned.map(({ ref, reason, error }) => row({ issue: ref, abandoned: reason, error })),
    ];
    const count = results.length;
    return agentOutput(header("wait", { count, pending, timed_out }), rows, quiet);
  },
};

export function waitResultLine(
  { ref, reason, attention, attention_msg, title }: WaitResult,
  { paint, quiet }: Style,
): string {
  if (quiet) return oneLine(ref);
  const shown =
    attention === undefined || reason === attention ? reason : `${reason} (${attention})`;
  const says = attention_msg === undefined ? "" : paint("faint", `  ${oneLine(attention_msg)}`);
  return `${paint("id", oneLine(ref))}  ${oneLine(shown)}  ${oneLine(title)}${says}`;
}
