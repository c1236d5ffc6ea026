import type { JsonValue } from "../../base/json.ts";
import { isInvisible } from "../../base/visible.ts";
import { type Account, type AccountRow, deletedIn, NO_WORK, type Tally, tally } from "./account.ts";
import { type EndState, type MappedEdges, type MappedLink, mapEdges } from "./edges.ts";
import {
  applyStatus,
  applyType,
  isEmptyValue,
  keepInMetadata,
  lastChange,
  leaveOut,
  NO_TITLE,
} from "./fields.ts";
import type { ImportItem } from "./item.ts";
import { spellLabel } from "./labels.ts";
import { checkLimits } from "./limits.ts";
import type { Mapping, StatusRule, TypeRule } from "./mapping.ts";
import type {
  FieldRule,
  MappedIssue,
  SourceComment,
  SourceData,
  SourceIssue,
  SourceLink,
  SourceReader,
} from "./record.ts";
import { cutBytes, MAX_ACTOR_BYTES, storableFields, storableText } from "./text.ts";

/** Author of records without one. */
export const NO_AUTHOR = "unknown";

/** The mapped records of a source, which are all valid. */
export interface MappedFile {
  readonly format: string;
  /** The source name by which the daemon recognizes the issues in a later import. */
  readonly source: string;
  readonly count: number;
  /** Number of items with links. */
  readonly linked: number;
  /** External ids of the items; and, in `removed`, of the issues that the source names as deleted. */
  readonly ids: readonly string[];
  readonly removed: readonly string[];
  /** Oldest first. Mapped lazily, and can be iterated only once. */
  readonly items: Iterable<ImportItem>;
  /** The account of the items that were mapped so far. */
  account(): Account;
}

/** What is needed to map the issues of a source, with counters for the account. */
interface Work {
  readonly reader: SourceReader;
  readonly mapping: Mapping;
  readonly edges: MappedEdges;
  readonly counts: Tally;
  readonly collisions: Map<string, Set<string>>;
}

/**
 * Maps the issues of a source. Refuses issues that the daemon would refuse. Mapping the others cannot fail, so it is
 * done lazily, while the first items are being sent. With `namesUnmapped` the account lists the words that the mapping
 * does not contain.
 */
export function mapSource(
  reader: SourceReader,
  data: SourceData,
  mapping: Mapping,
  namesUnmapped = false,
): MappedFile {
  const counts = tally();
  const issues = [...data.byId.values()];
  const sorted = sortOut(issues, mapping);
  const stateOf = (id: string): EndState => {
    const issue = data.byId.get(id);
    return issue === undefined ? "absent" : stateIn(issue, mapping);
  };
  const edges = mapEdges(
    issues.flatMap((issue) => issue.links ?? []),
    stateOf,
    mapping.links,
    `${reader.prefix}.edges`,
  );
  for (const { kind, outcome } of edges.outcomes) counts.add("edges", kind, outcome);
  const work: Work = { reader, mapping, edges, counts, collisions: new Map() };
  const { kept, tombstone } = sorted;
  for (const issue of tombstone) countLeftOut(issue, work, deletedIn(reader.prefix));
  for (const issue of sorted["no work"]) countLeftOut(issue, work, NO_WORK);
  for (const issue of kept) checkLimits(issue, edges.links.get(issue.id) ?? []);
  kept.sort((a, b) => compare(a.createdAt, b.createdAt) || compare(a.id, b.id));
  return {
    format: reader.prefix,
    source: data.source ?? reader.prefix,
    count: kept.length,
    linked: edges.links.size,
    ids: kept.map(({ id }) => id),
    removed: tombstone.map(({ id }) => id),
    items: mapIssues(kept, work),
    account: () => ({
      ...account(data, sorted, work),
      ...(sorted["no work"].length > 0 && { no_work: idsByType(sorted["no work"]) }),
      ...(namesUnmapped && { unmapped: unmapped(counts, mapping) }),
    }),
  };
}

interface Sorted {
  readonly kept: SourceIssue[];
  readonly tombstone: SourceIssue[];
  readonly "no work": SourceIssue[];
}

function sortOut(issues: readonly SourceIssue[], mapping: Mapping): Sorted {
  const sorted: Sorted = { kept: [], tombstone: [], "no work": [] };
  for (const issue of issues) sorted[stateIn(issue, mapping)].push(issue);
  return sorted;
}

function stateIn(issue: SourceIssue, mapping: Mapping): keyof Sorted {
  if (statusRule(issue, mapping)?.status === "deleted") return "tombstone";
  return typeRule(issue, mapping) === "ignore" ? "no work" : "kept";
}

function statusRule({ status }: SourceIssue, { statuses }: Mapping): StatusRule | undefined {
  return Object.hasOwn(statuses, status) ? statuses[status] : undefined;
}

function typeRule({ type }: SourceIssue, { types }: Mapping): TypeRule | undefined {
  return type !== undefined && Object.hasOwn(types, type) ? types[type] : undefined;
}

function* mapIssues(issues: readonly SourceIssue[], work: Work): Generator<ImportItem> {
  for (const issue of issues) yield mapIssue(issue, work);
}

function mapIssue(issue: SourceIssue, work: Work): ImportItem {
  const { reader, mapping, edges, counts } = work;
  const status = statusRule(issue, mapping);
  const mapped = newMappedIssue(reader.prefix, status);
  for (const [name, value] of Object.entries(issue.fields)) {
    if (isEmptyValue(value)) continue;
    const outcome = ruleOf(reader, name, value)(value, mapped, issue, name);
    counts.add(reader.dates.has(name) ? "dates" : "fields", name, outcome);
  }
  counts.add("statuses", issue.status, applyStatus(issue, mapped, status));
  const type = typeRule(issue, mapping);
  if (issue.type !== undefined && type !== "ignore")
    counts.add("types", issue.type, applyType(issue.type, mapped, type));
  mapLabels(issue, mapped, work);
  countFilled(issue, mapped, counts);
  const inexact = edges.inexact.get(issue.id);
  if (inexact !== undefined) mapped.metadata[`${reader.prefix}.edges`] = inexact.map(edgeOut);
  const links = edges.links.get(issue.id) ?? (issue.links === undefined ? undefined : []);
  return {
    ...finish(issue, mapped),
    ...(issue.comments !== undefined && { comments: mapComments(issue, issue.comments, counts) }),
    ...(links !== undefined && { links: links.map(linkOut) }),
  };
}

function linkOut(link: MappedLink): NonNullable<ImportItem["links"]>[number] {
  return {
    type: link.type,
    target_external_id: link.to,
    ...(link.incoming === undefined ? {} : { incoming: link.incoming }),
    author: actor(link.edge.created_by),
    ...(link.edge.created_at === undefined ? {} : { created_at: link.edge.created_at }),
  };
}

const UNSET = leaveOut("the value of an unset field");

function ruleOf({ rules, zeroIsUnset }: SourceReader, name: string, value: JsonValue): FieldRule {
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (rule !== undefined) return rule;
  return zeroIsUnset === true && (value === false || value === 0) ? UNSET : keepInMetadata;
}

function newMappedIssue(prefix: string, status: StatusRule | undefined): MappedIssue {
  return {
    prefix,
    status: status?.status === "closed" ? "closed" : "open",
    title: undefined,
    body: new Map(),
    labels: new Set(),
    // Without a prototype, a field named `__proto__` is an ordinary field.
    metadata: Object.create(null) as Record<string, JsonValue>,
    author: undefined,
    owner: undefined,
    priority: undefined,
    closedAt: undefined,
    closedReason: undefined,
  };
}

function finish(issue: SourceIssue, mapped: MappedIssue): Omit<ImportItem, "comments" | "links"> {
  const parts = [...mapped.body].sort(([a], [b]) => a - b).map(([, text]) => text);
  const { closedAt = issue.updatedAt, closedReason = "done" } = mapped;
  return {
    external_id: issue.id,
    title: mapped.title ?? NO_TITLE,
    author: mapped.author ?? NO_AUTHOR,
    status: mapped.status,
    created_at: issue.createdAt,
    updated_at: lastChange(issue),
    body: parts.join("\n\n"),
    labels: [...mapped.labels].sort(),
    metadata: storableFields(mapped.metadata),
    ...(mapped.owner === undefined ? {} : { owner: mapped.owner }),
    ...(mapped.priority === undefined ? {} : { priority: mapped.priority }),
    ...(mapped.status === "closed" && { closed_at: closedAt, closed_reason: closedReason }),
  };
}

function mapLabels(issue: SourceIssue, mapped: MappedIssue, { counts, collisions }: Work): void {
  const key = `${mapped.prefix}.labels`;
  let changed = false;
  for (const label of issue.labels) {
    const spelt = spellLabel(label);
    changed ||= spelt !== label;
    if (spelt === undefined) {
      counts.add("labels", "labels", {
        kind: "mapped",
        to: `metadata ${key}`,
        why: "no character of our grammar in it",
      });
      continue;
    }
    collisions.set(spelt, (collisions.get(spelt) ?? new Set()).add(label));
    if (mapped.labels.has(spelt)) {
      counts.add("labels", "labels", {
        kind: "dropped",
        why: "the issue has the label already, spelt by our grammar",
      });
      continue;
    }
    mapped.labels.add(spelt);
    counts.add(
      "labels",
      "labels",
      spelt === label
        ? { kind: "kept", to: "label" }
        : { kind: "mapped", to: `label, and metadata ${key}`, why: "spelt by our grammar" },
    );
  }
  if (changed) mapped.metadata[key] = [...issue.labels];
}

function mapComments(
  issue: SourceIssue,
  comments: readonly SourceComment[],
  counts: Tally,
): NonNullable<ImportItem["comments"]> {
  const taken = new Set<string>();
  return comments.flatMap((comment) => {
    const body = storableText(comment.text);
    if (isInvisible(body)) {
      counts.add("comments", "comments", { kind: "dropped", why: "it is blank" });
      return [];
    }
    counts.add("comments", "comments", { kind: "kept", to: "comment with its author and time" });
    if (comment.author === "") fill(counts, "comment author", NO_AUTHOR);
    if (comment.createdAt === undefined)
      fill(counts, "comment created_at", "created_at of the issue");
    let id = `${issue.id}/${comment.id}`;
    while (taken.has(id)) id += "'";
    taken.add(id);
    return [
      {
        external_id: id,
        author: actor(comment.author),
        body,
        created_at: comment.createdAt ?? issue.createdAt,
      },
    ];
  });
}

/** Counts required values that svc filled in because the record lacks them. */
function countFilled(issue: SourceIssue, mapped: MappedIssue, counts: Tally): void {
  if (mapped.author === undefined) fill(counts, "author", NO_AUTHOR);
  if (mapped.title === undefined) fill(counts, "title", NO_TITLE);
  for (const [name, from] of Object.entries(issue.filled ?? {})) fill(counts, name, from);
  if (mapped.status !== "closed") return;
  if (mapped.closedAt === undefined) fill(counts, "closed_at", "updated_at");
  if (mapped.closedReason === undefined) {
    const key = `${mapped.prefix}.close_reason`;
    const words = mapped.metadata[key] === undefined ? "" : `; the words stay in metadata ${key}`;
    fill(counts, "closed_reason", "done", `the source names none of svc's reasons${words}`);
  }
}

function fill(counts: Tally, name: string, to: string, why = "the file has none"): void {
  counts.add("filled", name, { kind: "mapped", to, why });
}

function countLeftOut(issue: SourceIssue, { reader, counts }: Work, why: string): void {
  const outcome = { kind: "dropped", why } as const;
  counts.add("statuses", issue.status, outcome);
  if (issue.type !== undefined) counts.add("types", issue.type, outcome);
  for (const _ of issue.labels) counts.add("labels", "labels", outcome);
  for (const _ of issue.comments ?? []) counts.add("comments", "comments", outcome);
  for (const [name, value] of Object.entries(issue.fields)) {
    if (isEmptyValue(value)) continue;
    counts.add(reader.dates.has(name) ? "dates" : "fields", name, outcome);
  }
}

function account(
  data: SourceData,
  sorted: Sorted,
  { reader, edges, counts, collisions }: Work,
): Account {
  return {
    format: reader.prefix,
    records: data.records,
    issues: data.byId.size,
    kept: sorted.kept.length,
    tombstones: sorted.tombstone.length,
    superseded: data.superseded,
    other_records: data.other,
    ...(data.files !== undefined && { files: data.files }),
    statuses: counts.rows("statuses"),
    types: counts.rows("types"),
    edges: counts.rows("edges"),
    links: edges.counts,
    comments: counts.rows("comments"),
    labels: counts.rows("labels"),
    label_collisions: [...collisions]
      .filter(([, from]) => from.size > 1)
      .map(([label, from]) => ({ label, from: [...from] })),
    dates: counts.rows("dates"),
    fields: counts.rows("fields"),
    filled: counts.rows("filled"),
  };
}

function idsByType(issues: readonly SourceIssue[]): NonNullable<Account["no_work"]> {
  const types = new Map<string, string[]>();
  for (const { type = "", id } of issues) {
    const ids = types.get(type) ?? [];
    ids.push(id);
    types.set(type, ids);
  }
  return [...types].map(([type, ids]) => ({ type, ids }));
}

function unmapped(counts: Tally, mapping: Mapping): NonNullable<Account["unmapped"]> {
  const missing = (words: readonly AccountRow[], rules: object): readonly string[] =>
    words.map(({ name }) => name).filter((name) => !Object.hasOwn(rules, name));
  return {
    statuses: missing(counts.rows("statuses"), mapping.statuses),
    types: missing(counts.rows("types"), mapping.types),
    links: missing(counts.rows("edges"), mapping.links),
  };
}

/** The edge without `from`, since it is stored in the metadata of that issue. */
function edgeOut({ to, kind, created_at, created_by, more }: SourceLink): JsonValue {
  return {
    ...more,
    to,
    kind,
    ...(created_at && { created_at }),
    ...(created_by && { created_by }),
  };
}

function actor(name: string | undefined): string {
  const cut = cutBytes(storableText(name ?? "").trim(), MAX_ACTOR_BYTES).trim();
  return isInvisible(cut) ? NO_AUTHOR : cut;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
