import type { JsonValue } from "../../base/json.ts";
import type { WaitingLink } from "../../domain/imports/base.ts";
import { fieldsOf, type Group, isOf, linkField } from "../../domain/imports/fields.ts";
import {
  differences,
  type FieldChanges,
  type FieldConflict,
  type Fields,
  mergeFields,
  type Side,
} from "../../domain/imports/merge.ts";
import { withoutParking } from "../../domain/imports/parked-here.ts";
import type { ImportItem } from "./batch.ts";
import { closedAt, type ImportContext, lastChange } from "./fields.ts";
import type { KnownIssue } from "./known.ts";

/** How conflicts are decided: by the decision for the field, otherwise by the preference for all fields. */
export interface MergeDecisions {
  readonly prefer?: "local" | "upstream" | "newer" | undefined;
  readonly decisions: ReadonlyMap<string, Side>;
}

export function decisionKey(externalId: string, field: string): string {
  return `${externalId}\u0001${field}`;
}

/** A link of the source whose other end was not imported yet, or is deleted. */
export interface MissingEnd {
  readonly external_id: string;
  readonly target_external_id: string;
  readonly error: string;
  readonly link: WaitingLink;
}

export function missingEnd(
  external_id: string,
  link: NonNullable<ImportItem["links"]>[number],
  why = "the target was not imported",
): MissingEnd {
  const { type, target_external_id } = link;
  const error = `${external_id} ${type} ${target_external_id}: ${why}`;
  return { external_id, target_external_id, error, link };
}

export interface MergePlan {
  readonly item: ImportItem;
  readonly known: KnownIssue;
  readonly restores: boolean;
  readonly changes: FieldChanges;
  readonly conflicts: readonly FieldConflict[];
  /** The field values with which the next import compares. */
  readonly base: Fields;
  readonly missing: readonly MissingEnd[];
  /** Why an issue that differs from the source is not changed. */
  readonly kept?: string;
}

/**
 * Names the deletion of the whole issue where the name of a field is expected, for example in a conflict where one side
 * deleted the issue and the other side changed it.
 */
export const DELETED = "deleted";

export function planMerge(
  context: ImportContext,
  known: KnownIssue,
  item: ImportItem,
  deciding: MergeDecisions,
): MergePlan {
  const { issue, imported, local } = known;
  const { fields: upstream, missing } = upstreamFields(context, item, imported.base);
  const nothing = { item, known, restores: false, changes: new Map(), conflicts: [], missing: [] };
  const isNews = differences(imported.base, upstream).size > 0;
  if (lastChange(item) < imported.updated_at) {
    const kept = isNews ? { kept: "a later state of it was imported before" } : {};
    return { ...nothing, base: imported.base, ...kept };
  }
  const { external_id } = item;
  const decide = makeDecider(deciding, known, { external_id, changed: lastChange(item) });
  const conflicts: FieldConflict[] = [];
  if (issue.deleted_at !== null && !imported.isGoneByImport) {
    if (!isNews) return { ...nothing, base: imported.base };
    const decided = decide(DELETED);
    conflicts.push({ field: DELETED, base: false, local: true, upstream: false, decided });
    const kept = { kept: "it was deleted here" };
    if (decided === undefined) return { ...nothing, base: imported.base, conflicts, ...kept };
    if (decided === "local") return { ...nothing, base: upstream, conflicts, ...kept };
  }
  const base = known.isParkedHere ? withoutParking(imported.base) : imported.base;
  const merge = mergeFields(base, local, upstream, decide);
  conflicts.push(...merge.conflicts);
  const restores = issue.deleted_at !== null;
  return { item, known, restores, changes: merge.changes, conflicts, base: merge.base, missing };
}

/**
 * Returns a function that decides conflicts of one issue. `changed` is when the source last changed the issue. It is
 * absent if the source no longer has the issue.
 */
export function makeDecider(
  { prefer, decisions }: MergeDecisions,
  { issue }: Pick<KnownIssue, "issue">,
  { external_id, changed = "" }: { readonly external_id: string; readonly changed?: string },
): (field: string) => Side | undefined {
  const newer = changed > issue.updated_at ? "upstream" : "local";
  const preferred = prefer === "newer" ? newer : prefer;
  return (field) => decisions.get(decisionKey(external_id, field)) ?? preferred;
}

const GROUPS = ["labels", "metadata", "comments", "links"] as const satisfies readonly Group[];

/**
 * The fields as the item states them. Groups of fields that the item leaves out, such as its comments, are taken from
 * the last import.
 */
function upstreamFields(
  context: ImportContext,
  item: ImportItem,
  base: Fields,
): { readonly fields: Fields; readonly missing: readonly MissingEnd[] } {
  const { title, body = "", owner = null, priority = null, status } = item;
  const { links, missing } = linksOf(context, item);
  const isClosed = status === "closed";
  const stated = fieldsOf({
    title,
    body,
    priority,
    status,
    links,
    labels: item.labels ?? [],
    owner: owner === "" ? null : owner,
    closed_reason: isClosed ? (item.closed_reason ?? "done") : null,
    closed_at: isClosed ? closedAt(item) : null,
    metadata: item.metadata ?? {},
    comments: (item.comments ?? []).map((one) => [one.external_id, one.body]),
  });
  const silent = GROUPS.filter((group) => item[group] === undefined);
  const kept = [...base].filter(([field]) => silent.some((group) => isOf(group, field)));
  return { fields: new Map([...stated, ...kept]), missing };
}

function linksOf({ batch }: ImportContext, { external_id, links = [] }: ImportItem) {
  const fields: (readonly [string, JsonValue])[] = [];
  const missing: MissingEnd[] = [];
  for (const link of links.toReversed()) {
    const { type, incoming, target_external_id } = link;
    const target = batch.imported.get(target_external_id);
    if (target === undefined) missing.push(missingEnd(external_id, link));
    else
      fields.push(linkField(type === "blocks" && incoming === true ? "blocked_by" : type, target));
  }
  return { links: fields, missing: missing.toReversed() };
}
