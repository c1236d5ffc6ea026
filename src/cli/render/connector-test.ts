import { agentOutput, header, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import type { Style } from "./palette.ts";

interface Tested {
  readonly number: number;
  readonly name: string;
  readonly status: "ok" | "failed" | "skipped";
  readonly why?: string;
  readonly sent?: string;
  readonly came?: string;
  readonly rule?: string;
  readonly rule_text?: string;
}

interface TestedConnector {
  readonly behaviours: readonly Tested[];
  readonly summary: Readonly<Record<Tested["status"], number>>;
}

export const connectorTestView: View<TestedConnector> = {
  human: ({ behaviours, summary }, { paint, quiet }) => {
    const shown = quiet ? behaviours.filter(({ status }) => status === "failed") : behaviours;
    const lines = shown.flatMap((one) => testedLines(one, paint));
    return [...lines, ...(quiet ? [] : ["", countsText({ behaviours, summary })])].join("\n");
  },
  agent: ({ behaviours, summary }, quiet) =>
    agentOutput(
      header("connector_test", { ...summary }),
      behaviours.map(({ number, name, status, why, rule, sent, came }) =>
        row({ behaviour: number, status, name, rule, why, sent, came }),
      ),
      quiet,
    ),
};

const TONES = { ok: "closed", failed: "error", skipped: "faint" } as const;
const STATUS_WIDTH = 8;

function testedLines(tested: Tested, paint: Style["paint"]): readonly string[] {
  const { number, name, status, why, sent, came, rule, rule_text } = tested;
  const mark = paint(TONES[status], status.padEnd(STATUS_WIDTH));
  const more = [
    ...(why === undefined ? [] : [status === "failed" ? `why:  ${why}` : why]),
    ...(sent === undefined ? [] : [`sent: ${sent}`]),
    ...(came === undefined ? [] : [`came: ${came}`]),
    ...(rule === undefined ? [] : [`rule: ${rule}: "${rule_text}"`]),
  ];
  const indent = " ".repeat(STATUS_WIDTH + 3);
  return [
    `${mark}${String(number).padStart(2)} ${name}`,
    ...more.map((line) => `${indent}${oneLine(line)}`),
  ];
}

function countsText({ behaviours, summary }: TestedConnector): string {
  const counts = (["ok", "failed", "skipped"] as const)
    .filter((status) => summary[status] > 0)
    .map((status) => `${summary[status]} ${status}`);
  const skipped = behaviours.filter(({ status }) => status === "skipped");
  const numbers = skipped.map(({ number }) => number).join(", ");
  return counts.join(", ") + (numbers === "" ? "" : `: ${numbers}`);
}
