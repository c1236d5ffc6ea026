import type { claimIssue, closeIssue } from "../../contract/actions.ts";
import type { editIssue } from "../../contract/issues.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, type Fields, header, line } from "../../shared/agent.ts";
import { projectOf } from "../../shared/ref.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";

type Mutation = Output<typeof closeIssue>;
type Issue = Mutation["issue"];
type Changed = Pick<Mutation, "issue" | "changed">;
type LinkChanges = NonNullable<Output<typeof editIssue>["changes"]>;
type Peers = Issue["blocks"];
type Peer = Peers[number];

/**
 * The agent output of a change: a line with the verb, the issue and `fields`, then `more`
 * (docs/contract/command-line.md#14-output-for-agents).
 */
export function mutationBlock(
  verb: string,
  issue: Issue,
  fields: Fields,
  more: readonly string[],
  quiet: boolean,
): string {
  const rest = [
    ...line("Issue", `${issue.short_id} ${issue.title}`),
    ...line("Status", issue.deleted_at === undefined ? issue.status : "deleted"),
    ...more,
  ];
  return agentOutput(header(`${verb} ${issue.short_id}`, fields), rest, quiet);
}

export function changedView<T extends Changed>(
  verb: string,
  sentence: (body: T) => string,
  more: (body: T) => readonly string[] = () => [],
): View<T> {
  return {
    human: (body, { paint }) => `${paint("id", body.issue.short_id)} ${sentence(body)}`,
    agent: (body, quiet) =>
      mutationBlock(verb, body.issue, { changed: body.changed }, more(body), quiet),
    refs: changedIssue,
  };
}

export function changedIssue<T>({ issue }: { readonly issue: T }): readonly T[] {
  return [issue];
}

function reusedField({ reused }: Mutation): Fields {
  return reused === true ? { reused } : {};
}

export const createView: View<Mutation> = {
  human: ({ issue, reused }, { paint }) => {
    const links = linksOf(issue);
    return [
      `${paint("id", issue.short_id)} ${oneLine(issue.title)} [${issue.status}]`,
      ...(links.length === 0 ? [] : [`links: ${links.join(", ")}`]),
      ...(reused === true ? ["(it exists already)"] : []),
    ].join(" ");
  },
  agent: (body, quiet) => {
    const links = linksOf(body.issue);
    const more = links.length === 0 ? [] : line("Links", links);
    return mutationBlock("create", body.issue, reusedField(body), more, quiet);
  },
  refs: changedIssue,
};

function linksOf(issue: Issue): readonly string[] {
  return [
    ...signedLines("+", "parent", issue, issue.parent === undefined ? [] : [issue.parent]),
    ...signedLines("+", "blocks", issue, issue.blocks),
    ...signedLines("+", "blocked_by", issue, issue.blocked_by),
    ...signedLines("+", "related", issue, issue.related),
  ];
}

function signedLines(
  sign: "+" | "-",
  kind: string,
  issue: Issue,
  peers: Peers = [],
): readonly string[] {
  return peers.map((peer) => `${sign}${kind} ${refOf(peer, issue)}`);
}

function refOf(peer: Peer, issue: Issue): string {
  return oneLine(
    peer.project === projectOf(issue.qualified_id) ? peer.short_id : peer.qualified_id,
  );
}

/** `requested` names the fields that the command sent. */
export function editView(requested: readonly string[]): View<Output<typeof editIssue>> {
  return {
    human: ({ issue, changed, changes = {} }, { paint }) => {
      const links = changedLinks(issue, changes);
      const head = `${paint("id", issue.short_id)} ${oneLine(issue.title)} [${issue.status}]`;
      if (!changed) return `${head} (no changes applied)`;
      return links.length === 0 ? head : `${head} links: ${links.join(", ")}`;
    },
    agent: ({ issue, changed, changes = {} }, quiet) => {
      const links = changedLinks(issue, changes);
      const more = [
        ...(changed && requested.length > 0 ? line("Changes", requested) : []),
        ...(links.length === 0 ? [] : line("Links", links)),
      ];
      return mutationBlock("edit", issue, { changed }, more, quiet);
    },
    refs: changedIssue,
  };
}

function changedLinks(issue: Issue, changes: LinkChanges): readonly string[] {
  return [
    ...parentChange(issue, changes),
    ...signedLines("+", "blocks", issue, changes.blocks_added),
    ...signedLines("-", "blocks", issue, changes.blocks_removed),
    ...signedLines("+", "blocked_by", issue, changes.blocked_by_added),
    ...signedLines("-", "blocked_by", issue, changes.blocked_by_removed),
    ...signedLines("+", "related", issue, changes.related_added),
    ...signedLines("-", "related", issue, changes.related_removed),
  ];
}

function parentChange(
  issue: Issue,
  { parent_set: set, parent_removed: removed }: LinkChanges,
): readonly string[] {
  if (set !== undefined && removed !== undefined)
    return [`parent ${refOf(removed, issue)}→${refOf(set, issue)}`];
  return [
    ...signedLines("+", "parent", issue, set && [set]),
    ...signedLines("-", "parent", issue, removed && [removed]),
  ];
}

interface Close {
  readonly reason: string;
  readonly evidence: readonly string[];
  readonly dryRun: boolean;
}

const REMINDER = "Others rely on this: reopen it if what you checked turns out not to hold.";

export function closeView({ reason, evidence, dryRun }: Close): View<Mutation> {
  return {
    human: ({ issue, changed, reused, next_issue: next }, { paint }) => {
      const id = paint("id", issue.short_id);
      if (dryRun && issue.status === "open")
        return `${id} can be closed (dry run, nothing changed)`;
      if (!changed)
        return `${id} ${reused === true ? "closed (by the earlier request)" : "is closed already (no-op)"}`;
      const after =
        next === undefined
          ? []
          : [
              `next: ${paint("id", next.short_id)} ${oneLine(next.title)} on ${next.occurrence_key}`,
            ];
      return [`${id} closed`, ...after, paint("faint", REMINDER)].join("\n");
    },
    agent: (body, quiet) => {
      const { issue, next_issue: next } = body;
      const more = [
        ...line("Reason", reason),
        ...evidence.flatMap((item) => line("Evidence", item)),
        ...line("Next", next && `${next.short_id} ${next.occurrence_key} ${next.title}`),
        ...(dryRun ? ["Dry-Run: true"] : line("Reminder", REMINDER)),
      ];
      return mutationBlock("close", issue, reusedField(body), more, quiet);
    },
    refs: changedIssue,
  };
}

export const reopenView: View<Mutation> = {
  ...changedView<Mutation>("reopen", ({ changed }) =>
    changed ? "reopened" : "is open already (no-op)",
  ),
  agent: ({ issue }, quiet) => mutationBlock("reopen", issue, {}, [], quiet),
};

type Claimed = Output<typeof claimIssue>;

export const claimView: View<Claimed> = {
  human: ({ issue, changed, previous_owner: previous }, { paint }) => {
    const owner = oneLine(issue.owner ?? "");
    if (!changed) return `already claimed by ${owner} (no-op)`;
    const was = previous === undefined || previous === null ? "" : ` (was: ${oneLine(previous)})`;
    return `${paint("id", issue.short_id)} claimed by ${owner}${was}`;
  },
  agent: ({ issue, changed, previous_owner: previous }, quiet) => {
    const more = [...line("Owner", issue.owner), ...line("Previous-Owner", previous)];
    return mutationBlock("claim", issue, { changed }, more, quiet);
  },
  refs: changedIssue,
};

export const assignView = changedView<Mutation>(
  "assign",
  ({ issue, changed }) =>
    `assigned to ${oneLine(issue.owner ?? "")}${changed ? "" : " already (no-op)"}`,
  ({ issue }) => line("Owner", issue.owner),
);

export const unassignView = changedView<Mutation>(
  "unassign",
  ({ changed }) => (changed ? "unassigned" : "has no owner (no-op)"),
  () => ["Owner-Cleared: true"],
);

export function labelView(label: string, action: "added" | "removed"): View<Changed> {
  const [sign, noop] =
    action === "added" ? ["+", " (has it already, no-op)"] : ["-", " (does not have it, no-op)"];
  return changedView(
    "label",
    ({ changed }) => `${sign}${oneLine(label)}${changed ? "" : noop}`,
    () => [...line("Label", label), ...line("Action", action)],
  );
}

export function commentView(action: "appended" | "edited"): View<Changed> {
  return {
    human: ({ changed }) => {
      if (changed) return `comment ${action}`;
      return `comment ${action === "edited" ? "unchanged" : "is there already"} (no-op)`;
    },
    agent: ({ issue }, quiet) =>
      mutationBlock("comment", issue, {}, line("Comment", action), quiet),
    refs: changedIssue,
  };
}
