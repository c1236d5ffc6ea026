import { counted } from "../../base/counted.ts";
import type { applyPlan } from "../../contract/plans.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, header, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { padEnd } from "./width.ts";

export const planView: View<Output<typeof applyPlan>> = {
  human: ({ created, issues, ready }, { paint }) => {
    const kept = issues.length - created;
    const head = `created ${counted(created, "issue")}${kept === 0 ? "" : `, ${kept} were there`}`;
    if (ready.length === 0) return `${head}; none is ready`;
    return [
      `${head}; ready now:`,
      ...ready.map(
        ({ name, short_id, title }) =>
          `  ${paint("id", short_id)}  ${padEnd(oneLine(name), 16)}  ${oneLine(title)}`,
      ),
    ].join("\n");
  },
  agent: ({ plan, created, issues, ready }, quiet) => {
    const open = new Set(ready.map(({ name }) => name));
    const rows = issues.map((issue) =>
      row({
        name: issue.name,
        issue: issue.short_id,
        created: issue.created,
        ready: open.has(issue.name),
      }),
    );
    const fields = { plan, created, count: issues.length, ready: ready.length };
    return agentOutput(header("plan", fields), rows, quiet);
  },
  refs: ({ issues }) => issues.map(({ short_id }) => short_id),
};
