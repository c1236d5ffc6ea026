import type { listLabels } from "../../contract/labels.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, header, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { padEnd } from "./width.ts";

export const labelsView: View<Output<typeof listLabels>> = {
  human: ({ labels }, { quiet }) => {
    if (labels.length === 0) return quiet ? "" : "No labels.";
    return labels.map(({ label, count }) => `${padEnd(oneLine(label), 32)} ${count}`).join("\n");
  },
  agent: ({ labels }, quiet) => {
    const rows = labels.map(({ label, count }) => row({ label, count }));
    return agentOutput(header("labels", { count: labels.length }), rows, quiet);
  },
};
