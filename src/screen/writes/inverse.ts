import type { JsonValue } from "../../base/json.ts";
import type { CronJob } from "../cron/state.ts";
import type { Issue, Issues } from "../issues/issues.ts";
import {
  type At,
  atOf,
  type Closing,
  isFieldChange,
  type LinkChange,
  QUICK,
  type Write,
} from "./writes.ts";

/**
 * The write that undoes `write`, computed from the issue before and after `write`; `undefined` if `write` cannot be
 * undone or changed nothing. `closed` says how a reopened issue had been closed; `job` is the job after it was toggled.
 */
export function inverseOf(
  write: Write,
  before: Issue | undefined,
  after: Issue | undefined,
  {
    closed = QUICK,
    job,
  }: { readonly closed?: Closing | undefined; readonly job?: CronJob | undefined } = {},
): Write | undefined {
  if (write.act === "toggle")
    return job && { ...write, on: !write.on, expected: job.definition_event_uid };
  const inverse = opposite(write, before, after, closed);
  if (inverse === undefined || after === undefined) return inverse;
  return { ...inverse, guard: changedFields(inverse, after) };
}

function opposite(
  write: Exclude<Write, { readonly act: "toggle" }>,
  before: Issue | undefined,
  after: Issue | undefined,
  closed: Closing,
): Write | undefined {
  if (write.act === "create")
    return after === undefined ? undefined : { act: "delete", at: atOf(after) };
  const { at } = write;
  if (write.act === "delete") return { act: "restore", at };
  if (write.act === "restore") return { act: "delete", at };
  if (write.act === "edit-comment") return { ...write, body: write.before, before: write.body };
  if (!isFieldChange(write) || before === undefined || after === undefined) return undefined;
  switch (write.act) {
    case "edit":
      return {
        act: "edit",
        at,
        title: before.title === after.title ? undefined : before.title,
        body: before.body === after.body ? undefined : before.body,
        revision: undefined,
        before: before.body === after.body ? undefined : after.body,
      };
    case "close":
      return { act: "reopen", at };
    case "reopen":
      return { act: "close", at, ...closed };
    case "assign":
    case "unassign":
      if (before.owner === after.owner) return undefined;
      return before.owner === undefined
        ? { act: "unassign", at }
        : { act: "assign", at, owner: before.owner };
    case "label":
    case "unlabel": {
      const had = before.labels.includes(write.label);
      if (had === after.labels.includes(write.label)) return undefined;
      return { act: had ? "label" : "unlabel", at, label: write.label };
    }
    case "priority":
      if (before.priority === after.priority) return undefined;
      return { act: "priority", at, priority: before.priority };
    case "metadata":
      return { act: "metadata", at, patch: valuesOf(Object.keys(write.patch), before) };
    case "link":
      return inverseLink(write.change, at, before, after);
  }
}

function valuesOf(keys: readonly string[], { metadata }: Issue): Record<string, JsonValue> {
  return Object.fromEntries(keys.map((key) => [key, metadata[key] ?? null]));
}

/**
 * The inverse of a change of links. It names the issues by uid, because the typed reference may later mean another
 * issue.
 */
function inverseLink({ kind }: LinkChange, at: At, before: Issue, after: Issue): Write | undefined {
  const [had, has] = [linkedIssues(before, kind), linkedIssues(after, kind)];
  const added = has.filter((uid) => !had.includes(uid));
  const removed = had.filter((uid) => !has.includes(uid));
  const undo = (does: LinkChange["does"], refs: readonly string[]): Write | undefined =>
    refs.length === 0 ? undefined : { act: "link", at, change: { kind, does, refs } };
  // Adding the earlier parent replaces the new parent, so the new parent need not be removed.
  const isReplaced = kind === "parent" && removed.length > 0;
  return (isReplaced ? undefined : undo("remove", added)) ?? undo("add", removed);
}

/** The uids of the issues that have a link of this kind with an issue. */
export function linkedIssues(issue: Issue, kind: LinkChange["kind"]): readonly string[] {
  return kind === "parent" ? [issue.parent ?? []].flat() : issue[kind];
}

/**
 * The values of the fields that a write changes, as text. If the text is the same later, nobody has changed these
 * fields. Revisions cannot show this, since title, text, priority, labels and links do not change the revision.
 */
export function changedFields(write: Write, issue: Issue): string {
  return JSON.stringify(facetOf(write, issue));
}

function facetOf(write: Write, issue: Issue): JsonValue {
  if (write.act === "delete") {
    // Here the delete undoes a creation or a restore. It is sent only if none of these fields has changed since.
    const { title, body, status, owner, priority, labels, parent, blocks, blocked_by } = issue;
    return [title, body, status, owner ?? null, priority ?? null, parent ?? null].concat(
      JSON.stringify([labels, blocks, blocked_by]),
    );
  }
  if (!isFieldChange(write)) return null;
  switch (write.act) {
    case "edit":
      return [
        write.title === undefined ? null : issue.title,
        write.body === undefined ? null : issue.body,
      ];
    case "link":
      return linkFacet(write.change, issue);
    case "close":
    case "reopen":
      return issue.status;
    case "assign":
    case "unassign":
      return issue.owner ?? null;
    case "label":
    case "unlabel":
      return issue.labels.includes(write.label);
    case "priority":
      return issue.priority ?? null;
    case "metadata":
      return valuesOf(Object.keys(write.patch), issue);
  }
}

function linkFacet({ kind, refs }: LinkChange, issue: Issue): JsonValue {
  const uids = linkedIssues(issue, kind);
  return kind === "parent" ? [...uids] : refs.map((ref) => uids.includes(ref));
}

/** Adds the names of the linked issues to a write, so that messages can show them. */
export function withPeers(write: Write, issues: Issues): Write {
  if (write.act !== "link" || write.peers !== undefined) return write;
  const peers = write.change.refs.map((ref) => issues.get(ref)?.qualified_id ?? ref).join(", ");
  return { ...write, peers };
}
