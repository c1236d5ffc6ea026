import type { patchIssueMetadata } from "../../contract/issues.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, header } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output.ts";

const WORDS = {
  scheduled_on: {
    command: "schedule",
    set: "planned for",
    cleared: "no longer planned for a date",
  },
  deadline_on: { command: "deadline", set: "due", cleared: "no longer due on a date" },
} as const;

export function plannedView(
  key: keyof typeof WORDS,
  date: string | null,
): View<Output<typeof patchIssueMetadata>> {
  const words = WORDS[key];
  return {
    human: ({ issue, changed }, { paint, quiet }) => {
      if (quiet) return "";
      const what = date === null ? words.cleared : `${words.set} ${oneLine(date)}`;
      return `${paint("id", issue.short_id)} ${what}${changed ? "" : " (no-op)"}`;
    },
    agent: ({ issue, changed }, quiet) => {
      const { short_id, revision } = issue;
      const fields = { issue: short_id, date: date ?? "-", revision, changed };
      return agentOutput(header(words.command, fields), [], quiet);
    },
  };
}
