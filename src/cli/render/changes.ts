import { agentOutput, header, line } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output.ts";
import { projectOf } from "./show.ts";

interface Peer {
  readonly short_id: string;
  readonly project: string;
  readonly qualified_id: string;
}

/** The issue in the answer to a change. */
export interface ChangedIssue {
  readonly short_id: string;
  readonly qualified_id: string;
  readonly title: string;
  readonly status: string;
  readonly owner?: string | undefined;
  readonly deleted_at?: string | undefined;
  readonly parent?: Peer | undefined;
  readonly blocks?: readonly Peer[] | undefined;
  readonly blocked_by?: readonly Peer[] | undefined;
  readonly related?: readonly Peer[] | undefined;
}

export interface Changed {
  readonly issue: ChangedIssue;
  readonly changed?: boolean | undefined;
  readonly reused?: boolean | undefined;
  /** What the series of a closed issue made. */
  readonly next_issue?:
    | { readonly short_id: string; readonly title: string; readonly occurrence_key: string }
    | undefined;
}

type Peers = readonly Peer[] | undefined;

export interface LinkChanges {
  readonly parent_set?: Peer | undefined;
  readonly parent_removed?: Peer | undefined;
  readonly blocks_added?: Peers;
  readonly blocks_removed?: Peers;
  readonly blocked_by_added?: Peers;
  readonly blocked_by_removed?: Peers;
  readonly related_added?: Peers;
  readonly related_removed?: Peers;
}

export interface Edited extends Changed {
  readonly changes?: LinkChanges | undefined;
}

interface Block {
  readonly verb: string;
  readonly issue: ChangedIssue;
  /** More words of the first line. */
  readonly fields?: Readonly<Record<string, boolean | undefined>>;
  readonly more?: readonly string[];
}

/** The agent's account of a change (facts cli-and-config 1.4). */
export function mutationBlock(
  { verb, issue, fields = {}, more = [] }: Block,
  quiet: boolean,
): string {
  const status = issue.deleted_at === undefined ? issue.status : "deleted";
  const rest = [
    ...line("Issue", `${issue.short_id} ${issue.title}`),
    ...line("Status", status),
    ...more,
  ];
  return agentOutput(header(`${verb} ${issue.short_id}`, fields), rest, quiet);
}

/** What changed is said in a word; a repeated request says that it was one. */
function replayed({ reused }: Changed): Readonly<Record<string, boolean>> {
  return reused === true ? { reused: true } : {};
}

export const createView: View<Changed> = {
  human: ({ issue, reused }, { paint, quiet }) => {
    if (quiet) return issue.short_id;
    const links = linksOf(issue);
    return [
      `${paint("id", issue.short_id)} ${oneLine(issue.title)} [${issue.status}]`,
      ...(links.length === 0 ? [] : [`links: ${links.join(", ")}`]),
      ...(reused === true ? ["(it exists already)"] : []),
    ].join(" ");
  },
  agent: (body, quiet) => {
    const more = linksOf(body.issue).length === 0 ? [] : line("Links", linksOf(body.issue));
    return mutationBlock(
      { verb: "create", issue: body.issue, fields: replayed(body), more },
      quiet,
    );
  },
};

function linksOf(issue: ChangedIssue): readonly string[] {
  return [
    ...signed("+", "parent", issue, issue.parent === undefined ? [] : [issue.parent]),
    ...signed("+", "blocks", issue, issue.blocks),
    ...signed("+", "blocked_by", issue, issue.blocked_by),
    ...signed("+", "related", issue, issue.related),
  ];
}

function signed(
  sign: "+" | "-",
  kind: string,
  issue: ChangedIssue,
  peers: Peers = [],
): readonly string[] {
  return peers.map((peer) => `${sign}${kind} ${refOf(peer, issue)}`);
}

/** Bare in the issue's own project, qualified elsewhere. */
function refOf(peer: Peer, issue: ChangedIssue): string {
  return oneLine(
    peer.project === projectOf(issue.qualified_id) ? peer.short_id : peer.qualified_id,
  );
}

/** `asked` names the fields that the command sent, for the account of what changed. */
export function editView(asked: readonly string[]): View<Edited> {
  return {
    human: ({ issue, changed, changes = {} }, { paint, quiet }) => {
      if (quiet) return issue.short_id;
      const links = changedLinks(issue, changes);
      const head = `${paint("id", issue.short_id)} ${oneLine(issue.title)} [${issue.status}]`;
      if (changed !== true) return `${head} (no changes applied)`;
      return links.length === 0 ? head : `${head} links: ${links.join(", ")}`;
    },
    agent: ({ issue, changed, changes = {} }, quiet) => {
      const links = changedLinks(issue, changes);
      const more = [
        ...(changed === true && asked.length > 0 ? line("Changes", asked) : []),
        ...(links.length === 0 ? [] : line("Links", links)),
      ];
      return mutationBlock(
        { verb: "edit", issue, fields: { changed: changed === true }, more },
        quiet,
      );
    },
  };
}

function changedLinks(issue: ChangedIssue, changes: LinkChanges): readonly string[] {
  return [
    ...parentChange(issue, changes),
    ...signed("+", "blocks", issue, changes.blocks_added),
    ...signed("-", "blocks", issue, changes.blocks_removed),
    ...signed("+", "blocked_by", issue, changes.blocked_by_added),
    ...signed("-", "blocked_by", issue, changes.blocked_by_removed),
    ...signed("+", "related", issue, changes.related_added),
    ...signed("-", "related", issue, changes.related_removed),
  ];
}

function parentChange(
  issue: ChangedIssue,
  { parent_set: set, parent_removed: removed }: LinkChanges,
): readonly string[] {
  if (set !== undefined && removed !== undefined)
    return [`parent ${refOf(removed, issue)}→${refOf(set, issue)}`];
  return [
    ...signed("+", "parent", issue, set && [set]),
    ...signed("-", "parent", issue, removed && [removed]),
  ];
}

export interface CloseTold {
  readonly reason: string;
  readonly evidence: readonly string[];
  readonly dryRun: boolean;
}

const REMINDER = "Others rely on this: reopen it if what you checked turns out not to hold.";

export function closeView({ reason, evidence, dryRun }: CloseTold): View<Changed> {
  return {
    human: ({ issue, changed, reused, next_issue: next }, { paint, quiet }) => {
      if (quiet) return issue.short_id;
      const id = paint("id", issue.short_id);
      const isOpen = issue.status === "open";
      if (dryRun && isOpen) return `${id} can be closed (dry run, nothing changed)`;
      if (changed !== true)
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
      const more = [
        ...line("Reason", reason),
        ...evidence.flatMap((item) => line("Evidence", item)),
        ...line("Next", nextText(body)),
        ...(dryRun ? ["Dry-Run: true"] : line("Reminder", REMINDER)),
      ];
      return mutationBlock(
        { verb: "close", issue: body.issue, fields: replayed(body), more },
        quiet,
      );
    },
  };
}

function nextText({ next_issue: next }: Changed): string | undefined {
  return next === undefined ? undefined : `${next.short_id} ${next.occurrence_key} ${next.title}`;
}

export const reopenView: View<Changed> = {
  human: ({ issue, changed }, { paint, quiet }) => {
    if (quiet) return issue.short_id;
    return `${paint("id", issue.short_id)} ${changed === true ? "reopened" : "is open already (no-op)"}`;
  },
  agent: ({ issue }, quiet) => mutationBlock({ verb: "reopen", issue }, quiet),
};

export interface Claimed extends Changed {
  readonly previous_owner?: string | null | undefined;
}

export const claimView: View<Claimed> = {
  human: ({ issue, changed, previous_owner: previous }, { paint, quiet }) => {
    if (quiet) return "";
    const owner = oneLine(issue.owner ?? "");
    if (changed !== true) return `already claimed by ${owner} (no-op)`;
    const was = previous === undefined || previous === null ? "" : ` (was: ${oneLine(previous)})`;
    return `${paint("id", issue.short_id)} claimed by ${owner}${was}`;
  },
  agent: ({ issue, changed, previous_owner: previous }, quiet) => {
    const more = [...line("Owner", issue.owner), ...line("Previous-Owner", previous)];
    return mutationBlock(
      { verb: "claim", issue, fields: { changed: changed === true }, more },
      quiet,
    );
  },
};

export const assignView: View<Changed> = {
  human: ({ issue, changed }, { paint, quiet }) => {
    if (quiet) return "";
    const noop = changed === true ? "" : " already (no-op)";
    return `${paint("id", issue.short_id)} assigned to ${oneLine(issue.owner ?? "")}${noop}`;
  },
  agent: ({ issue, changed }, quiet) =>
    mutationBlock(
      {
        verb: "assign",
        issue,
        fields: { changed: changed === true },
        more: line("Owner", issue.owner),
      },
      quiet,
    ),
};

export const unassignView: View<Changed> = {
  human: ({ issue, changed }, { paint, quiet }) => {
    if (quiet) return "";
    return `${paint("id", issue.short_id)} ${changed === true ? "unassigned" : "has no owner (no-op)"}`;
  },
  agent: ({ issue, changed }, quiet) =>
    mutationBlock(
      {
        verb: "unassign",
        issue,
        fields: { changed: changed === true },
        more: ["Owner-Cleared: true"],
      },
      quiet,
    ),
};

export function labelView(label: string, action: "added" | "removed"): View<Changed> {
  const sign = action === "added" ? "+" : "-";
  return {
    human: ({ issue, changed }, { paint, quiet }) => {
      if (quiet) return "";
      const noop =
        changed === true
          ? ""
          : action === "added"
            ? " (has it already, no-op)"
            : " (does not have it, no-op)";
      return `${paint("id", issue.short_id)} ${sign}${oneLine(label)}${noop}`;
    },
    agent: ({ issue, changed }, quiet) => {
      const more = [...line("Label", label), ...line("Action", action)];
      return mutationBlock(
        { verb: "label", issue, fields: { changed: changed === true }, more },
        quiet,
      );
    },
  };
}

export function commentView(action: "appended" | "edited"): View<Changed> {
  return {
    human: ({ changed }, { quiet }) => {
      if (quiet) return "";
      return changed === true
        ? `comment ${action}`
        : `comment ${action === "edited" ? "unchanged" : "is there already"} (no-op)`;
    },
    agent: ({ issue }, quiet) =>
      mutationBlock({ verb: "comment", issue, more: line("Comment", action) }, quiet),
  };
}
