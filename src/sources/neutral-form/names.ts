import { nearest } from "../../shared/nearest.ts";
import { LINK_WORDS } from "../neutral/mapping.ts";

const FIELDS = [
  "id",
  "title",
  "body",
  "status",
  "closed_reason",
  "type",
  "priority",
  "author",
  "owner",
  "labels",
  "parent",
  "links",
  "comments",
  "created_at",
  "updated_at",
  "closed_at",
  "deadline_on",
  "scheduled_on",
  "metadata",
] as const;

const KNOWN: ReadonlySet<string> = new Set(FIELDS);

/** The names that other trackers use for each field, in lower case and without separators. */
const FIELD_WORDS = wordsOf({
  id: "key identifier",
  title: "name summary subject",
  body: "description content text details",
  status: "state",
  closed_reason: "closereason resolution statereason",
  type: "issuetype kind",
  author: "createdby creator reporter",
  owner: "assignee assignees assignedto",
  labels: "label tag tags",
  parent: "parentid",
  links:
    "link dependencies dependency dependson depends deps edges relations blocks blockedby blockers related children",
  comments: "comment",
  created_at: "created createdon creationdate",
  updated_at: "updated modified modifiedat",
  closed_at: "closed completed completedat resolvedat",
  deadline_on: "due dueat dueon duedate deadline",
  scheduled_on: "scheduled startdate startat deferuntil",
});

/** The field that an unknown name probably means; `undefined` for a known name, or if there is no guess. */
export function meantField(name: string): string | undefined {
  return KNOWN.has(name) ? undefined : suggestedName(name, FIELD_WORDS, FIELDS);
}

const LINK_FIELD_WORDS = wordsOf({
  type: "kind relation linktype relationtype",
  to: "target id issue other ref targetid issueid dependsonid targetexternalid",
  author: "createdby",
  created_at: "created",
});

export function meantLinkField(name: string): string | undefined {
  return suggestedName(name, LINK_FIELD_WORDS, ["type", "author", "created_at"]);
}

const COMMENT_FIELD_WORDS = wordsOf({
  body: "text content comment message description",
  author: "user createdby creator",
  created_at: "created time date",
});

export function meantCommentField(name: string): string | undefined {
  return suggestedName(name, COMMENT_FIELD_WORDS, ["body", "author", "created_at"]);
}

/** Describes the link type that was probably meant; if there is none, lists the valid types. */
export function meantLink(type: string): string {
  const types = LINK_WORDS.filter((one) => one !== "ignore");
  return (
    nearest(type.toLowerCase().replaceAll(/[\s_]/g, "-"), types) ??
    "parent (the other is its parent), child, blocks (it blocks the other), blocked-by or related"
  );
}

function suggestedName(
  name: string,
  words: ReadonlyMap<string, string>,
  names: readonly string[],
): string | undefined {
  const letters = name.replaceAll(/[^a-z]/gi, "").toLowerCase();
  const spelt = name.replaceAll(/([a-z])([A-Z])/g, "$1_$2").replaceAll(/[\s-]+/g, "_");
  return words.get(letters) ?? nearest(spelt.toLowerCase(), names);
}

function wordsOf(table: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([name, words]) =>
      words.split(" ").map((word) => [word, name] as const),
    ),
  );
}
