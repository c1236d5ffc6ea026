import type { patchIssueMetadata } from "../../contract/issues.ts";
import type { Output } from "../../contract/route.ts";
import { oneLine } from "../../shared/text.ts";
import { changedIssue } from "./changes.ts";
import { sentenceView } from "./sentence.ts";

const DATE_WORDS = {
  scheduled_on: {
    command: "schedule",
    set: "planned for",
    cleared: "no longer planned for a date",
  },
  deadline_on: { command: "deadline", set: "due", cleared: "no longer due on a date" },
} as const;

/** `instant` is the instant of the date; it is given if the user typed a word such as `tomorrow`. */
export function plannedView(key: keyof typeof DATE_WORDS, date: string | null, instant?: string) {
  const words = DATE_WORDS[key];
  const at = instant === undefined ? "" : ` (${instant})`;
  return sentenceView<Output<typeof patchIssueMetadata>>(
    words.command,
    ({ issue, changed }, { paint }) => {
      const what = date === null ? words.cleared : `${words.set} ${oneLine(date)}${at}`;
      return `${paint("id", issue.short_id)} ${what}${changed ? "" : " (no-op)"}`;
    },
    ({ issue: { short_id, revision }, changed }) => {
      return { issue: short_id, date: date ?? "-", revision, changed, instant };
    },
    changedIssue,
  );
}
