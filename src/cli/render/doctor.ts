import { agentOutput, header, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { Check, CheckStatus, Diagnosis } from "../doctor.ts";
import type { View } from "../output.ts";
import type { Tone } from "./palette.ts";
import { padEnd } from "./width.ts";

const MARKS: Readonly<Record<CheckStatus, readonly [mark: string, tone: Tone]>> = {
  ok: ["✓", "closed"],
  warning: ["!", "priority2"],
  failed: ["✗", "error"],
  skipped: ["-", "faint"],
};

const ID_WIDTH = 20;

export const doctorView: View<Diagnosis> = {
  human: ({ checks, summary }, { paint, quiet }) => {
    const shown = quiet ? checks.filter(({ status }) => status === "failed") : checks;
    const lines = shown.flatMap((check) => {
      const [mark, tone] = MARKS[check.status];
      const head = `${paint(tone, mark)} ${padEnd(check.id, ID_WIDTH)}${oneLine(check.summary)}`;
      return check.fix === undefined
        ? [head]
        : [head, `  ${padEnd("", ID_WIDTH)}${oneLine(check.fix)}`];
    });
    const counts = (["ok", "warning", "failed", "skipped"] as const)
      .filter((status) => summary[status] > 0)
      .map((status) => `${summary[status]} ${status}`);
    return [...lines, ...(quiet ? [] : ["", counts.join(", ")])].join("\n");
  },
  agent: ({ checks, summary }, quiet) =>
    agentOutput(header("doctor", { ...summary }), checks.map(agentRow), quiet),
};

function agentRow({ id, status, summary, fix }: Check): string {
  return row({ check: id, status, summary, fix });
}
