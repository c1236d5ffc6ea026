import { refsOf } from "../issues/choices.ts";
import type { Issue } from "../issues/issues.ts";
import { issueNamed } from "../issues/names.ts";
import type { State } from "../state.ts";
import { linkedIssues } from "./inverse.ts";
import { atOf, type Write } from "./writes.ts";

/** The kinds of links, by the words that `linksOf` uses for them. */
const KINDS = {
  parent: "parent",
  "waits for": "blocked_by",
  blocks: "blocks",
  related: "related",
} as const;

/** The links of these issues, as lines from which a person chooses one to remove. */
export function linksOf(
  { issues }: Pick<State, "issues">,
  of: readonly Issue[],
): readonly string[] {
  const line = (kind: string, uid: string): string => {
    const peer = issues.get(uid);
    return peer === undefined ? `${kind} ${uid}` : `${kind} ${peer.qualified_id}  ${peer.title}`;
  };
  const lines = of.flatMap((issue) =>
    Object.entries(KINDS).flatMap(([word, kind]) =>
      linkedIssues(issue, kind).map((uid) => line(word, uid)),
    ),
  );
  return [...new Set(lines)];
}

export type LinkRole = "parent" | "blocker" | "blocked" | "related" | "duplicate";

/**
 * The issues to which the issues `uids` can be linked, as `id  title`. Left out are the issues `uids` themselves, issues
 * whose link would close a cycle and, for a duplicate, issues of other projects.
 */
export function linkTargets(
  state: State,
  tie: LinkRole,
  uids: readonly string[],
): readonly string[] {
  const { issues } = state;
  const left = wouldClose(state, tie, uids);
  const project = tie === "duplicate" ? issues.get(uids[0] ?? "")?.project_id : undefined;
  const out = new Set<string>();
  for (const issue of issues.values()) {
    const isLeft = tie === "parent" ? isWithin(state, issue, left) : left.has(issue.uid);
    const isElsewhere = project !== undefined && issue.project_id !== project;
    if (isLeft || isElsewhere) out.add(issue.qualified_id);
  }
  return refsOf(state).filter((choice) => !out.has(choice.split("  ", 1)[0] ?? ""));
}

/**
 * Returns the issues `uids`, and all issues that cannot be linked to them because the link would close a cycle. For a new
 * blocker these are the issues that wait for `uids`; for a new issue that waits, the issues that `uids` wait for.
 */
function wouldClose(
  { issues }: Pick<State, "issues">,
  tie: LinkRole,
  uids: readonly string[],
): Set<string> {
  const found = new Set(uids);
  if (tie !== "blocker" && tie !== "blocked") return found;
  const kind = tie === "blocker" ? "blocks" : "blocked_by";
  // The loop also visits the uids that it adds to the set.
  for (const uid of found) for (const next of issues.get(uid)?.[kind] ?? []) found.add(next);
  return found;
}

function isWithin({ issues }: Pick<State, "issues">, issue: Issue, of: Set<string>): boolean {
  const seen = new Set<string>();
  for (let at: Issue | undefined = issue; at !== undefined && !seen.has(at.uid); ) {
    if (of.has(at.uid)) return true;
    seen.add(at.uid);
    at = at.parent === undefined ? undefined : issues.get(at.parent);
  }
  return false;
}

/**
 * The writes that remove a link from each issue that has it. `text` names the link, such as `blocks web#abc4  Title`.
 */
export function unlinkWrites(state: State, of: readonly Issue[], text: string): readonly Write[] {
  const [, word, ref] = /^(parent|waits for|blocks|related) (\S+)/.exec(text) ?? [];
  if (word === undefined || ref === undefined) return [];
  const kind = KINDS[word as keyof typeof KINDS];
  return of.flatMap((issue): readonly Write[] => {
    const at = atOf(issue);
    const peer = issueNamed(state, issue, ref);
    const uid = peer?.uid ?? ref;
    const peers = peer?.qualified_id ?? ref;
    if (!linkedIssues(issue, kind).includes(uid)) return [];
    return [{ act: "link", at, change: { kind, does: "remove", refs: [uid] }, peers }];
  });
}
