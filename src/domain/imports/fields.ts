import type { JsonObject, JsonValue } from "../../base/json.ts";
import type { IssueRow, LinkRow } from "../state.ts";
import type { Fields } from "./merge.ts";

/**
 * The text of an imported comment that its source removed. svc replaces the text, because comments are never removed.
 */
export const COMMENT_REMOVED = "(this comment was removed where it came from)";

/**
 * The parts of an issue that a merge compares. Links name other issues by uid. Comments have the names that imports
 * gave them.
 */
export interface IssueParts
  extends Pick<IssueRow, "title" | "body" | "owner" | "priority" | "status" | "closed_at"> {
  readonly closed_reason: string | null;
  readonly metadata: JsonObject;
  readonly labels: Iterable<string>;
  /** The field and the value that `linkField` returns for each link. */
  readonly links: Iterable<readonly [field: string, value: JsonValue]>;
  readonly comments: Iterable<readonly [name: string, body: string]>;
}

export function fieldsOf(parts: IssueParts): Fields {
  const { title, body, owner, priority, status, closed_reason, closed_at } = parts;
  const fields = new Map<string, JsonValue>([
    ["title", title],
    ["body", body],
    ["status", statusField(status, closed_reason)],
  ]);
  if (owner !== null) fields.set("owner", owner);
  if (priority !== null) fields.set("priority", priority);
  if (closed_at !== null) fields.set("closed_at", closed_at);
  for (const [key, value] of Object.entries(parts.metadata)) fields.set(`metadata.${key}`, value);
  for (const label of parts.labels) fields.set(`label.${label}`, true);
  for (const [field, value] of parts.links) fields.set(field, value);
  for (const [id, body] of parts.comments)
    if (body !== COMMENT_REMOVED) fields.set(`comment.${id}`, body);
  return fields;
}

/**
 * Returns `open`, or `closed` with the reason. Status and reason are one field, so that a merge takes them from the
 * same side.
 */
export function statusField(status: IssueRow["status"], reason: string | null): string {
  return status === "open" ? "open" : `closed ${reason ?? "done"}`;
}

type LinkEnd = "parent" | "blocks" | "blocked_by" | "related";

/**
 * The field of a link and its value. An issue has at most one parent, so the parent's uid is a value. Any other link
 * has a field of its own, which is `true` or absent.
 */
export function linkField(
  end: LinkEnd,
  peerUid: string,
): readonly [field: string, value: JsonValue] {
  return end === "parent" ? ["parent", peerUid] : [`${end}.${peerUid}`, true];
}

/**
 * The field of a link as the issue sees it. `undefined` for the link to a child, because that is a field of the child.
 */
export function linkFieldOf(
  issueUid: string,
  { type, from_uid, to_uid }: Pick<LinkRow, "type" | "from_uid" | "to_uid">,
): readonly [field: string, value: JsonValue] | undefined {
  const peer = from_uid === issueUid ? to_uid : from_uid;
  if (type === "related") return linkField("related", peer);
  if (from_uid === issueUid) return linkField(type, peer);
  return type === "blocks" ? linkField("blocked_by", peer) : undefined;
}

/**
 * Returns the field of the same link on the issue at its other end. Returns `undefined` for a parent, since only the
 * child has a field for that link.
 */
export function mirrored(
  issueUid: string,
  field: string,
): { readonly peer: string; readonly field: string } | undefined {
  const end = MIRRORS.find(([name]) => field.startsWith(`${name}.`));
  if (end === undefined) return undefined;
  const [name, other] = end;
  return { peer: field.slice(name.length + 1), field: `${other}.${issueUid}` };
}

const MIRRORS = [
  ["related", "related"],
  ["blocks", "blocked_by"],
  ["blocked_by", "blocks"],
] as const;

const GROUPS = {
  labels: ["label."],
  metadata: ["metadata."],
  comments: ["comment."],
  links: ["blocks.", "blocked_by.", "related."],
} as const satisfies Record<string, readonly string[]>;

export type Group = keyof typeof GROUPS;

export function isOf(group: Group, field: string): boolean {
  if (group === "links" && field === "parent") return true;
  return GROUPS[group].some((prefix) => field.startsWith(prefix));
}
