import type { listIssues } from "../../contract/issues.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, header, row } from "../../shared/agent.ts";
import type { View } from "../output.ts";
import { flatRows, listFooter, nestedRows, type RowIssue, readyFooter, shownId } from "./rows.ts";

type IssueList = Output<typeof listIssues>;

export interface ListOptions {
  readonly all: boolean;
  /** The limit of the request; a full page may not be the last. */
  readonly limit: number | undefined;
}

export function isTruncated({ issues }: IssueList, { limit }: ListOptions): boolean {
  return limit !== undefined && limit > 0 && issues.length >= limit;
}

export function listView(options: ListOptions): View<IssueList> {
  return {
    human: (list, style) => {
      const rows = nestedRows(list.issues, { qualified: options.all, nobody: "unowned" }, style);
      if (style.quiet) return rows.join("\n");
      if (rows.length === 0) return "No issues.";
      return [...rows, ...listFooter(list.issues, isTruncated(list, options), style)].join("\n");
    },
    agent: ({ issues }, quiet) => agentRows("list", issues, options.all, quiet),
  };
}

export function readyView(options: ListOptions): View<IssueList> {
  return {
    human: ({ issues }, style) => {
      const rows = flatRows(issues, { qualified: options.all, nobody: "-" }, style);
      if (style.quiet) return rows.join("\n");
      return rows.length === 0
        ? "No ready issues."
        : [...rows, ...readyFooter(issues, style)].join("\n");
    },
    agent: ({ issues }, quiet) => agentRows("ready", issues, options.all, quiet),
  };
}

function agentRows(
  command: string,
  issues: readonly RowIssue[],
  qualified: boolean,
  quiet: boolean,
): string {
  const rows = issues.map((issue) => {
    const { status, priority, owner, labels, title } = issue;
    return row({ issue: shownId(issue, qualified), status, priority, owner, labels, title });
  });
  return agentOutput(header(command, { count: issues.length }), rows, quiet);
}

export function nextView(all: boolean): View<RowIssue | undefined> {
  return {
    human: (issue, style) => {
      if (issue === undefined) return "No ready issues.";
      return flatRows([issue], { qualified: all, nobody: "-" }, style).join("\n");
    },
    agent: (issue) => {
      if (issue === undefined) return header("next", { found: false });
      const { priority, owner, title } = issue;
      return header("next", { issue: shownId(issue, all), priority, owner, title });
    },
  };
}
