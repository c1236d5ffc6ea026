import type { deleteIssue, moveIssue, purgeIssue } from "../../contract/removal.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, header, line } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { changedIssue, changedView, mutationBlock } from "./changes.ts";
import { erasedLines } from "./erased.ts";

type Mutation = Output<typeof deleteIssue>;

export const deleteView: View<Mutation> = {
  human: ({ issue, changed }, { paint }) => {
    const id = paint("id", issue.short_id);
    if (!changed) return `${id} is deleted already (no-op)`;
    return `${id} deleted\n${paint("faint", `Undo: svc restore ${issue.short_id}`)}`;
  },
  agent: ({ issue, changed }, quiet) => {
    const more = ["Deleted: true", `Undo: svc restore ${issue.short_id} --agent`];
    return mutationBlock("delete", issue, { changed }, more, quiet);
  },
  refs: changedIssue,
};

export const restoreView = changedView<Mutation>(
  "restore",
  ({ issue, changed }) => `${changed ? "restored" : "is not deleted (no-op)"} [${issue.status}]`,
);

export const purgeView: View<Output<typeof purgeIssue>> = {
  human: ({ purge_log: log, ...erased }, { paint }) => {
    const counts = `${log.comment_count} comments, ${log.link_count} links, ${log.label_count} labels, ${log.event_count} events`;
    const purged = `${paint("id", log.short_id)} ${oneLine(log.issue_title)} purged: ${counts}`;
    return [purged, ...erasedLines(erased).map((text) => paint("faint", text))].join("\n");
  },
  agent: ({ purge_log: log, erased }, quiet) =>
    agentOutput(
      header(`purge ${log.short_id}`),
      [
        ...line("Issue", `${log.short_id} ${log.issue_title}`),
        "Status: purged",
        ...line("Comments", log.comment_count),
        ...line("Links", log.link_count),
        ...line("Labels", log.label_count),
        ...line("Events", log.event_count),
        ...(erased === undefined ? [] : [`Erased: ${erased}`]),
      ],
      quiet,
    ),
  refs: ({ purge_log: log }) => [log.short_id],
};

export const moveView: View<Output<typeof moveIssue>> = {
  human: ({ issue, new_short_id: fresh }, { paint }) => {
    const renamed = fresh === undefined ? "" : ` (its id is ${fresh} now)`;
    return `moved to ${paint("id", oneLine(issue.qualified_id))}${renamed}`;
  },
  agent: ({ issue, new_short_id: fresh }, quiet) => {
    const more = [...line("Moved-To", issue.qualified_id), ...line("New-Short-Id", fresh)];
    return mutationBlock("move", issue, {}, more, quiet);
  },
  refs: changedIssue,
};

interface MovePlan {
  readonly issue: string;
  readonly title: string;
  readonly to_project: string;
}

export const movePlanView: View<MovePlan> = {
  human: ({ issue, title, to_project }, { paint }) =>
    `${paint("id", oneLine(issue))} ${oneLine(title)} would move to ${oneLine(to_project)} (dry run, nothing changed)`,
  agent: ({ issue, to_project }, quiet) =>
    agentOutput(header("move", { issue, to: to_project, dry_run: true }), [], quiet),
  refs: ({ issue }) => [issue],
};
