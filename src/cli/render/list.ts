import { header, row } from "../../shared/agent.ts";
import type { LongView, Rows, View } from "../output.ts";
import { flatRows, listFooter, nestedRows, type RowIssue, readyFooter, shownId } from "./rows.ts";

interface IssueList {
  readonly issues: Rows<RowIssue>;
}

export interface ListOptions {
  readonly all: boolean;
  /** The limit of the request; a full page may not be the last. */
  readonly limit: number | undefined;
}

export function isTruncated({ issues }: IssueList, { limit }: ListOptions): boolean {
  return limit !== undefined && limit > 0 && issues.length >= limit;
}

export function listView(options: ListOptions): LongView<IssueList> {
  return {
    *human(list, style) {
      const rowOptions = { qualified: options.all, nobody: "unowned" };
      const counts = yield* nestedRows(list.issues, rowOptions, style);
      if (style.quiet) return;
      if (list.issues.length === 0) yield "No issues.";
      else yield* listFooter(counts, isTruncated(list, options), style);
    },
    agent: ({ issues }, quiet) => agentRows("list", issues, options.all, quiet),
  };
}

export function readyView(options: ListOptions): LongView<IssueList> {
  return {
    *human({ issues }, style) {
      yield* flatRows(issues, { qualified: options.all, nobody: "-" }, style);
      if (style.quiet) return;
      if (issues.length === 0) yield "No ready issues.";
      else yield* readyFooter(issues.length, style);
    },
    agent: ({ issues }, quiet) => agentRows("ready", issues, options.all, quiet),
  };
}

function* agentRows(
  command: string,
  issues: Rows<RowIssue>,
  qualified: boolean,
  quiet: boolean,
): Generator<string> {
  if (!quiet || issues.length > 0) yield header(command, { count: issues.length });
  for (const issue of issues) {
    const { status, priority, owner, labels, title } = issue;
    yield row({ issue: shownId(issue, qualified), status, priority, owner, labels, title });
  }
}

export function nextView(all: boolean): View<RowIssue | undefined> {
  return {
    human: (issue, style) => {
      if (issue === undefined) return "No ready issues.";
      return [...flatRows([issue], { qualified: all, nobody: "-" }, style)].join("\n");
    },
    agent: (issue) => {
      if (issue === undefined) return header("next", { found: false });
      const { priority, owner, title } = issue;
      return header("next", { issue: shownId(issue, all), priority, owner, title });
    },
  };
}
