import type { JsonValue } from "../../base/json.ts";
import type { EventDraft, EventKind, Payload, StoredEvent } from "../../contract/events.ts";
import { later } from "../evolve/evolver.ts";
import { undoMarkOf } from "../undo/plan.ts";
import { CommentsOfImports, commentChange, importedName, type KnownComments } from "./comments.ts";
import { fieldsOf, linkField, statusField } from "./fields.ts";
import { apply, type FieldChanges, type Fields } from "./merge.ts";

export type WaitingLink = NonNullable<Payload<"issue.imported">["waiting"]>[number];

/** What earlier imports wrote to an issue, according to the log. */
export interface ImportedIssue {
  /** The fields as the last import wrote them: the base of the next merge. */
  readonly base: Fields;
  /** When the source last changed the issue, as the last import read it. */
  readonly updated_at: string;
  readonly comments: KnownComments;
  /** Links whose other end has not been imported yet. */
  readonly waiting: readonly WaitingLink[];
  /** Whether the last delete of the issue was made by an import, or by an undo of the event that created the issue. */
  readonly isGoneByImport: boolean;
}

/**
 * Returns the values that earlier imports wrote to an issue. The next import compares its file with these values (the
 * base of a three-way merge). They are computed from the log, so exports and backups keep them, and an import that was
 * undone no longer counts.
 */
export function importedIssue(
  uid: string,
  source: string,
  events: readonly StoredEvent[],
): ImportedIssue {
  const undone = undoneEvents(events);
  const takenBack = new Set(
    events.flatMap((event) => (undone.has(event.uid) ? (batchOf(event) ?? []) : [])),
  );
  const comments = new CommentsOfImports(uid);
  const base = new Map<string, JsonValue>();
  let [updated_at, created] = ["", ""];
  let isGoneByImport = false;
  let waiting: readonly WaitingLink[] = [];
  for (const event of events) {
    comments.note(event);
    if (event.type === "issue.soft_deleted" && event.issue_uid === uid)
      isGoneByImport =
        batchOf(event) !== undefined || undoMarkOf(event)?.events.includes(created) === true;
    if (event.type === "issue.created" && event.issue_uid === uid) created = event.uid;
    // No undo names an event that only records what an import has read. It counts as undone if another event of the
    // same import was undone.
    else if (undone.has(event.uid) || takenBack.has(noteOf(event))) continue;
    if (!isOfImport(event)) continue;
    if (event.type === "issue.imported") waiting = event.payload.waiting ?? waiting;
    const isOwn = event.issue_uid === uid;
    const effect = isOwn ? effectOf(event, (comment) => comments.nameOf(comment)) : new Map();
    comments.noteStated(effect);
    apply(base, isReversed(event, source) ? reversed(uid, event, effect) : effect);
    if (isOwn) updated_at = later(updated_at, timeOf(event));
  }
  return { base, updated_at, comments: comments.byName, waiting, isGoneByImport };
}

/**
 * Returns how an event of an import changes `ImportedIssue.base`. `nameOf` returns the name of an imported comment.
 */
export function effectOf(
  draft: Pick<EventDraft, "type" | "payload">,
  nameOf: (commentUid: string) => string | undefined,
): FieldChanges {
  return effectOfDraft(draft as EventDraft, nameOf);
}

function effectOfDraft(
  draft: EventDraft,
  nameOf: (commentUid: string) => string | undefined,
): FieldChanges {
  switch (draft.type) {
    case "issue.created":
      return createdFields(draft.payload);
    case "issue.updated": {
      const { title, body, owner } = draft.payload;
      return new Map<string, JsonValue | undefined>([
        ...(title === undefined ? [] : [["title", title] as const]),
        ...(body === undefined ? [] : [["body", body] as const]),
        ...(owner === undefined ? [] : [["owner", owner ?? undefined] as const]),
      ]);
    }
    case "issue.priority_set":
      return new Map([["priority", draft.payload.priority]]);
    case "issue.priority_cleared":
      return new Map([["priority", undefined]]);
    case "issue.labeled":
      return new Map([[`label.${draft.payload.label}`, true]]);
    case "issue.unlabeled":
      return new Map([[`label.${draft.payload.label}`, undefined]]);
    case "issue.metadata_updated":
      return new Map(
        Object.entries(draft.payload.diff).map(([key, { to }]) => [
          `metadata.${key}`,
          to ?? undefined,
        ]),
      );
    case "issue.closed": {
      const { reason, closed_at } = draft.payload;
      return new Map([
        ["status", statusField("closed", reason)],
        ["closed_at", closed_at],
      ]);
    }
    case "issue.reopened":
      return new Map([
        ["status", "open"],
        ["closed_at", undefined],
      ]);
    case "issue.commented":
      return commentChange(nameOf(draft.payload.comment_uid), draft.payload.body);
    case "issue.comment_edited":
      return commentChange(nameOf(draft.payload.comment_uid), draft.payload.body);
    case "issue.links_changed":
      return linkChanges(draft.payload);
    case "issue.imported":
      return new Map(
        Object.entries(draft.payload.fields).map(([field, value]) => [field, value ?? undefined]),
      );
    default:
      return new Map();
  }
}

/** The batch of the import that wrote the event. */
export function batchOf({ payload }: Pick<StoredEvent, "payload">): string | undefined {
  const { import: batch } = payload as { readonly import?: JsonValue };
  return typeof batch === "string" ? batch : undefined;
}

function noteOf(event: StoredEvent): string {
  return isNote(event) ? (batchOf(event) ?? "") : "";
}

/**
 * Whether the event of an import changed nothing that an undo would put back: it records what was read, or moves only the
 * time of the issue's last change.
 */
export function isNote({
  type,
  payload,
}: {
  readonly type: EventKind;
  readonly payload: object;
}): boolean {
  if (type === "issue.imported") return true;
  if (type !== "issue.updated") return false;
  const { title, body, owner } = payload as Payload<"issue.updated">;
  return title === undefined && body === undefined && owner === undefined;
}

/**
 * Whether an import wrote the event. An issue that was imported from a file and is read from its code host now has
 * events of both sources. Versions before 0.15 did not mark the events of imports; they are recognized by the time in
 * their payload, which comes from the source and differs from the time of the event.
 */
export function isOfImport(event: StoredEvent): boolean {
  if (event.type === "issue.created") return event.payload.source !== undefined;
  if (event.type === "issue.commented") return importedName(event.payload) !== undefined;
  if (batchOf(event) !== undefined) return true;
  return (
    undoMarkOf(event) === undefined && timeOf(event) !== "" && timeOf(event) !== event.created_at
  );
}

/**
 * Returns the time in the payload at which the issue changed, or an empty text for kinds of events that no import
 * writes.
 */
export function timeOf({ type, payload }: Pick<EventDraft, "type" | "payload">): string {
  switch (type) {
    case "issue.closed":
      return (payload as Payload<"issue.closed">).closed_at;
    case "issue.created": {
      const { created_at, updated_at } = payload as Payload<"issue.created">;
      return updated_at ?? created_at;
    }
    case "issue.comment_edited":
      return (payload as Payload<"issue.comment_edited">).edited_at;
    case "issue.updated":
    case "issue.priority_set":
    case "issue.priority_cleared":
    case "issue.labeled":
    case "issue.unlabeled":
    case "issue.metadata_updated":
    case "issue.reopened":
    case "issue.links_changed":
      return (payload as { readonly updated_at: string }).updated_at;
    case "issue.imported": {
      const { source_updated_at, updated_at } = payload as Payload<"issue.imported">;
      return source_updated_at ?? updated_at ?? "";
    }
    default:
      return "";
  }
}

/** The uids of the events that were undone. An undo that was itself undone does not count. */
export function undoneEvents(events: readonly StoredEvent[]): ReadonlySet<string> {
  const undone = new Set<string>();
  for (const event of events.toReversed()) {
    if (undone.has(event.uid)) continue;
    for (const uid of undoMarkOf(event)?.events ?? []) undone.add(uid);
  }
  return undone;
}

function createdFields(payload: Payload<"issue.created">): FieldChanges {
  const { title, body, owner, priority, status, closed_reason, closed_at } = payload;
  return fieldsOf({
    title,
    body,
    status,
    metadata: payload.metadata,
    labels: payload.labels ?? [],
    owner: owner ?? null,
    priority: priority ?? null,
    closed_reason: closed_reason ?? null,
    closed_at: closed_at ?? null,
    links: (payload.links ?? []).map(({ type, to_issue_uid, incoming }) =>
      linkField(type === "blocks" && incoming === true ? "blocked_by" : type, to_issue_uid),
    ),
    comments: [],
  });
}

function linkChanges(payload: Payload<"issue.links_changed">): FieldChanges {
  const changes = new Map<string, JsonValue | undefined>();
  if (payload.parent_removed_uid !== undefined) changes.set("parent", undefined);
  if (payload.parent_set_uid !== undefined) changes.set("parent", payload.parent_set_uid);
  for (const end of ["blocks", "blocked_by", "related"] as const) {
    for (const peer of payload[`${end}_removed_uids`] ?? [])
      changes.set(`${end}.${peer}`, undefined);
    for (const peer of payload[`${end}_added_uids`] ?? []) changes.set(`${end}.${peer}`, true);
  }
  return changes;
}

/**
 * True if a version before 0.15 wrote the event for a dependency in a beads file. That version stored the dependency as
 * a link of the blocker. Newer versions store it as a link of the blocked issue.
 */
function isReversed(event: StoredEvent, source: string): boolean {
  return event.type === "issue.links_changed" && source === "beads" && batchOf(event) === undefined;
}

function reversed(
  uid: string,
  { issue_uid, payload }: StoredEvent,
  own: FieldChanges,
): FieldChanges {
  const { blocks_added_uids = [] } = payload as Payload<"issue.links_changed">;
  if (issue_uid === uid) return new Map([...own].filter(([field]) => !field.startsWith("blocks.")));
  return new Map(blocks_added_uids.includes(uid) ? [[`blocked_by.${issue_uid}`, true]] : []);
}
