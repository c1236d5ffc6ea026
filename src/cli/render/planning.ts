import type { patchIssueMetadata } from "../../contract/issues.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, header } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output.ts";

interface Words {
  readonly command: "schedule" | "deadline";
  readonly set: string;
  readonly cleared: string;
}

export const SCHEDULE: Words = {
  command: "schedule",
  set: "planned for",
  cleared: "no longer planned for a date",
};

export const DEADLINE: Words = {
  command: "deadline",
  set: "due",
  cleared: "no longer due on a date",
};

export function plannedView(
  words: Words,
  date: string | null,
): View<Output<typeof patchIssueMetadata>> {
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
