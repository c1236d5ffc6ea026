import type { Finding } from "../../domain/finding.ts";
import { agentOutput, header, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { Check, Diagnosis } from "../doctor.ts";
import type { View } from "../output/output.ts";
import type { Style, Tone } from "./palette.ts";
import { padEnd } from "./width.ts";

const MARKS: Readonly<Record<Finding["status"], readonly [mark: string, tone: Tone]>> = {
  ok: ["✓", "closed"],
  warning: ["!", "priority2"],
  failed: ["✗", "error"],
  skipped: ["-", "faint"],
};

const ID_WIDTH = 20;

export const doctorView: View<Diagnosis> = {
  human: ({ checks, summary }, { paint, quiet }) => {
    const shown = quiet ? checks.filter(({ status }) => status === "failed") : checks;
    const lines = shown.flatMap((check) => checkLines(check, ID_WIDTH, paint));
    return [...lines, ...(quiet ? [] : ["", countsText(summary)])].join("\n");
  },
  agent: ({ checks, summary }, quiet) =>
    agentOutput(header("doctor", { ...summary }), checks.map(agentRow), quiet),
};

/** The lines of one check for people: its result, and below the result how to fix a fault. */
export function checkLines(
  { id, status, summary, fix }: Pick<Check, "status" | "summary" | "fix"> & { readonly id: string },
  idWidth: number,
  paint: Style["paint"],
): readonly string[] {
  const [mark, tone] = MARKS[status];
  const head = `${paint(tone, mark)} ${padEnd(id, idWidth)}${oneLine(summary)}`;
  return fix === undefined ? [head] : [head, `  ${padEnd("", idWidth)}${oneLine(fix)}`];
}

export function countsText(summary: Diagnosis["summary"]): string {
  return (["ok", "warning", "failed", "skipped"] as const)
    .filter((status) => summary[status] > 0)
    .map((status) => `${summary[status]} ${status}`)
    .join(", ");
}

function agentRow({ id, status, summary, fix }: Check): string {
  return row({ check: id, status, summary, fix });
}
