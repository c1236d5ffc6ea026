import { isPlainObject, type JsonObject, type JsonValue, sameJson } from "../../base/json.ts";
import type { EventKind, StoredEvent } from "../../contract/events.ts";
import { addedEnds, endsOf, removedEnds, storedEnds } from "../evolve/links.ts";
import type { Diff } from "../metadata.ts";
import type { LinkEnds } from "../state.ts";

/** A value that an event sets, whatever it was before. */
export interface Setting {
  /** The unique name of the field, label, link or key of metadata. */
  readonly thing: string;
  /** The keys that lead to the value inside the value of a metadata key; empty for everything else. */
  readonly path: readonly string[];
  /** `null` means that there is no value now. */
  readonly value: JsonValue;
  /** The value before the event, if the event contains it. */
  readonly replaced?: JsonValue;
}

/** The kinds of events that set a value. */
export const SETTING_KINDS = [
  "issue.updated",
  "issue.assigned",
  "issue.unassigned",
  "issue.priority_set",
  "issue.priority_cleared",
  "issue.closed",
  "issue.reopened",
  "issue.soft_deleted",
  "issue.restored",
  "issue.labeled",
  "issue.unlabeled",
  "issue.linked",
  "issue.unlinked",
  "issue.links_changed",
  "issue.comment_edited",
  "issue.metadata_updated",
] as const satisfies readonly EventKind[];

/** The values of fields, labels, links and metadata that the event sets. An event that creates an issue sets none. */
export function settingsOf(event: StoredEvent): readonly Setting[] {
  switch (event.type) {
    case "issue.updated":
      return fieldsSetBy(event.payload);
    case "issue.assigned":
    case "issue.unassigned":
      return [of("owner", event.payload.owner)];
    case "issue.priority_set":
      return [of("priority", event.payload.priority, event.payload.old_priority ?? null)];
    case "issue.priority_cleared":
      return [of("priority", null, event.payload.old_priority ?? null)];
    case "issue.closed":
      return [of("status", event.payload.reason, OPEN)];
    case "issue.reopened":
      return [of("status", OPEN)];
    case "issue.soft_deleted":
      return [of("deleted", true)];
    case "issue.restored":
      return [of("deleted", false)];
    case "issue.labeled":
      return [of(`label ${event.payload.label}`, true)];
    case "issue.unlabeled":
      return [of(`label ${event.payload.label}`, false)];
    case "issue.linked":
      return [linkSet(endsOf(event.payload))];
    case "issue.unlinked":
      return [linkRemoved(storedEnds(event.payload))];
    case "issue.links_changed":
      return linksOf(event);
    case "issue.comment_edited":
      return [of(`comment ${event.payload.comment_uid}`, event.payload.body)];
    case "issue.metadata_updated":
      return metadataOf(event.payload.diff);
    default:
      return [];
  }
}

/** The status of an open issue. The status of a closed one is the reason of its close. */
const OPEN = null;

function of(thing: string, value: JsonValue, replaced?: JsonValue): Setting {
  return { thing, path: [], value, ...(replaced === undefined ? {} : { replaced }) };
}

function fieldsSetBy({
  title,
  old_title,
  body,
  owner,
  old_owner,
}: StoredEvent<"issue.updated">["payload"]): readonly Setting[] {
  return [
    ...(title === undefined ? [] : [of("title", title, old_title)]),
    ...(body === undefined ? [] : [of("body", body)]),
    ...(owner === undefined ? [] : [of("owner", owner, old_owner)]),
  ];
}

/** A child has one parent. So for a child, each link to a parent is a value of the same thing. */
function linkSet(ends: LinkEnds): Setting {
  const { type, from_uid, to_uid } = ends;
  return type === "parent" ? of(`parent ${from_uid}`, to_uid) : of(nameOf(ends), true);
}

function linkRemoved(ends: LinkEnds): Setting {
  const { type, from_uid, to_uid } = ends;
  return type === "parent" ? of(`parent ${from_uid}`, null, to_uid) : of(nameOf(ends), false);
}

function nameOf({ type, from_uid, to_uid }: LinkEnds): string {
  return `${type} ${from_uid} ${to_uid}`;
}

/** If the event replaces the parent, only the new parent counts. */
function linksOf(event: StoredEvent<"issue.links_changed">): readonly Setting[] {
  const settings = [
    ...removedEnds(event).map((ends) => linkRemoved(ends)),
    ...addedEnds(event).map((ends) => linkSet(ends)),
  ];
  return [...new Map(settings.map((setting) => [setting.thing, setting])).values()];
}

function metadataOf(diff: Diff): readonly Setting[] {
  return Object.entries(diff).flatMap(([key, { from, to }]) =>
    leaves(`metadata ${key}`, [], from ?? null, to ?? null),
  );
}

/** Objects are merged leaf by leaf (`domain/metadata.ts`), so each changed leaf is set by itself. */
function leaves(
  thing: string,
  path: readonly string[],
  from: JsonValue,
  to: JsonValue,
): readonly Setting[] {
  if (!isPlainObject(from) || !isPlainObject(to))
    return [{ thing, path, value: to, replaced: from }];
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return keys.flatMap((key) => {
    const [was, is] = [memberOf(from, key), memberOf(to, key)];
    return sameJson(was, is) ? [] : leaves(thing, [...path, key], was, is);
  });
}

function memberOf(object: JsonObject, key: string): JsonValue {
  return Object.hasOwn(object, key) ? (object[key] ?? null) : null;
}
