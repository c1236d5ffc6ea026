import { counted } from "../../base/counted.ts";
import type { digestProject } from "../../contract/activity.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, fieldText, header } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { shortTime } from "./show.ts";

type Digest = Output<typeof digestProject>;

export const digestView: View<Digest> = {
  human: ({ since, until, counted_until, project_id, event_count, actors }, { paint, quiet }) => {
    const end = counted_until ?? until;
    const span = `${shortTime(since)} to ${shortTime(end)}`;
    if (actors.length === 0) return quiet ? "" : `Nothing happened from ${span}.`;
    const rows = actors.flatMap(({ actor, totals, issues, issue_count }) => [
      `${paint("strong", oneLine(actor))}: ${actionsIn(totals)
        .map(([action, count]) => `${count} ${word(action)}`)
        .join(", ")}`,
      ...issues.map(
        (issue) =>
          `  ${paint("id", refOf(issue, project_id))}  ${issue.actions.map(word).join(", ")}`,
      ),
      ...(issue_count === undefined || quiet ? [] : [`  ... ${issue_count - issues.length} more`]),
    ]);
    const head = `${counted(event_count, "event")} from ${span}`;
    return [...(quiet ? [] : [head, ...notCounted(counted_until)]), ...rows].join("\n");
  },
  agent: ({ project_id, event_count, actors, truncated, counted_until }, quiet) => {
    const rows = actors.flatMap(({ actor, totals, issues, issue_count }) => [
      `- actor ${fieldText({ actor, ...Object.fromEntries(actionsIn(totals)), issue_count })}`,
      ...issues.map(
        (issue) =>
          `- issue ${fieldText({ actor, issue: refOf(issue, project_id), actions: issue.actions })}`,
      ),
    ]);
    const head = header("digest", { events: event_count, truncated, counted_until });
    return agentOutput(head, rows, quiet);
  },
};

/** The line that says that the span has more events than were counted. */
function notCounted(until: string | undefined): readonly string[] {
  if (until === undefined) return [];
  return [`not the whole span: there is too much in it; the rest is after ${until} (--since)`];
}

function actionsIn(totals: Digest["totals"]): readonly (readonly [string, number])[] {
  return Object.entries(totals).flatMap(([action, count]) =>
    typeof count === "number" && count > 0 ? [[action, count] as const] : [],
  );
}

function word(action: string): string {
  return oneLine(action.replaceAll("_", " "));
}

function refOf(
  { project_name, issue_short_id }: Digest["actors"][number]["issues"][number],
  project_id: number,
): string {
  return oneLine(project_id === 0 ? `${project_name}#${issue_short_id}` : issue_short_id);
}
