import type { JsonValue } from "../../base/json.ts";
import {
  applyStatus,
  applyType,
  DATE_FIELDS,
  FIELD_RULES,
  isEmptyValue,
  keepInMetadata,
  lastChange,
  type MappedIssue,
  NO_TITLE,
} from "../beads/fields.ts";
import { type BeadsEdge, type BeadsIssue, parseRecord } from "../beads/record.ts";
import type { Line } from "../lines.ts";
import { type Account, DELETED, type Tally, tally } from "./account.ts";
import { EDGES_KEY, type EndState, type MappedEdges, mapEdges } from "./edges.ts";
import type { ImportItem } from "./item.ts";
import { spellLabel } from "./labels.ts";
import { cutBytes, MAX_ACTOR_BYTES, storableText } from "./text.ts";

/** Author of records without one. */
export const NO_AUTHOR = "unknown";

const OWN_REASONS = "svc's reasons are a list; the words stay in metadata beads.close_reason";

const TOMBSTONE = "tombstone";

/** An export file of beads whose lines are all valid. */
export interface MappedFile {
  readonly format: Account["format"];
  readonly count: number;
  /** How many of the items have links. */
  readonly linked: number;
  /** The ids of the items, and of the issues that the file names as deleted. */
  readonly ids: readonly string[];
  readonly removed: readonly string[];
  /** Oldest first. Mapped lazily, and can be iterated only once. */
  readonly items: Iterable<ImportItem>;
  /** The account of the items that were mapped so far. */
  account(): Account;
}

/**
 * Reads a whole export and throws `validation` on an invalid line. Mapping the records cannot fail, so it is done
 * lazily, while the first items are sent.
 */
export async function mapBeads(lines: AsyncIterable<Line>): Promise<MappedFile> {
  const file = await readFile(lines);
  const counts = tally();
  const collisions = new Map<string, Set<string>>();
  const stateOf = (id: string): EndState => {
    const issue = file.byId.get(id);
    if (issue === undefined) return "absent";
    return issue.status === TOMBSTONE ? "tombstone" : "kept";
  };
  const issues = [...file.byId.values()];
  const edges = mapEdges(
    issues.flatMap((issue) => issue.dependencies),
    stateOf,
  );
  for (const { kind, outcome } of edges.outcomes) counts.add("edges", kind, outcome);
  const [kept, tombstones] = [issues.filter(isKept), issues.filter((issue) => !isKept(issue))];
  for (const issue of tombstones) countTombstone(issue, counts);
  kept.sort((a, b) => compare(a.createdAt, b.createdAt) || compare(a.id, b.id));
  return {
    format: "beads",
    count: kept.length,
    linked: edges.links.size,
    ids: kept.map(({ id }) => id),
    removed: tombstones.map(({ id }) => id),
    items: mapIssues(kept, edges, counts, collisions),
    account: () => account(file, kept.length, edges, counts, collisions),
  };
}

function isKept({ status }: BeadsIssue): boolean {
  return status !== TOMBSTONE;
}

function* mapIssues(
  issues: readonly BeadsIssue[],
  edges: MappedEdges,
  counts: Tally,
  collisions: Map<string, Set<string>>,
): Generator<ImportItem> {
  for (const issue of issues) yield mapIssue(issue, edges, counts, collisions);
}

interface ReadFile {
  readonly byId: ReadonlyMap<string, BeadsIssue>;
  readonly records: number;
  readonly superseded: number;
  readonly other: Readonly<Record<string, number>>;
}

/**
 * When several lines have the same id, the one that was updated last counts, as in beads; among equals, the last
 * line.
 */
async function readFile(lines: AsyncIterable<Line>): Promise<ReadFile> {
  const byId = new Map<string, BeadsIssue>();
  const other: Record<string, number> = {};
  let records = 0;
  let superseded = 0;
  for await (const line of lines) {
    const record = parseRecord(line);
    records += 1;
    if ("other" in record) {
      other[record.other] = (other[record.other] ?? 0) + 1;
      continue;
    }
    const earlier = byId.get(record.id);
    if (earlier !== undefined) superseded += 1;
    if (earlier === undefined || earlier.updatedAt <= record.updatedAt) byId.set(record.id, record);
  }
  return { byId, records, superseded, other };
}

function mapIssue(
  issue: BeadsIssue,
  edges: MappedEdges,
  counts: Tally,
  collisions: Map<string, Set<string>>,
): ImportItem {
  const mapped = newMappedIssue();
  for (const [name, value] of Object.entries(issue.fields)) {
    if (isEmptyValue(value)) continue;
    const rule = FIELD_RULES[name];
    const outcome = rule?.(value, mapped, issue) ?? keepInMetadata(name, value, mapped);
    counts.add(DATE_FIELDS.has(name) ? "dates" : "fields", name, outcome);
  }
  counts.add("statuses", issue.status, applyStatus(issue, mapped));
  counts.add("types", issue.type, applyType(issue, mapped));
  mapLabels(issue, mapped, counts, collisions);
  countFilled(issue, mapped, counts);
  const inexact = edges.inexact.get(issue.id);
  if (inexact !== undefined) mapped.metadata[EDGES_KEY] = inexact.map(edgeOut);
  const links = edges.links.get(issue.id);
  return {
    ...finish(issue, mapped),
    comments: mapComments(issue, counts),
    links: (links ?? []).map((link) => ({
      type: link.type,
      target_external_id: link.to,
      ...(link.incoming === undefined ? {} : { incoming: link.incoming }),
      author: actor(link.edge.created_by),
      ...(link.edge.created_at === undefined ? {} : { created_at: link.edge.created_at }),
    })),
  };
}

function newMappedIssue(): MappedIssue {
  return {
    title: NO_TITLE,
    body: new Map(),
    labels: new Set(),
    metadata: {},
    status: "open",
    author: undefined,
    owner: undefined,
    priority: undefined,
    closedAt: undefined,
  };
}

function finish(issue: BeadsIssue, mapped: MappedIssue): Omit<ImportItem, "comments" | "links"> {
  const parts = [...mapped.body].sort(([a], [b]) => a - b).map(([, text]) => text);
  return {
    external_id: issue.id,
    title: mapped.title,
    author: mapped.author ?? NO_AUTHOR,
    status: mapped.status,
    created_at: issue.createdAt,
    updated_at: lastChange(issue),
    body: parts.join("\n\n"),
    labels: [...mapped.labels].sort(),
    metadata: mapped.metadata,
    ...(mapped.owner === undefined ? {} : { owner: mapped.owner }),
    ...(mapped.priority === undefined ? {} : { priority: mapped.priority }),
    ...(mapped.closedAt === undefined ? {} : { closed_at: mapped.closedAt, closed_reason: "done" }),
  };
}

function mapLabels(
  issue: BeadsIssue,
  mapped: MappedIssue,
  counts: Tally,
  collisions: Map<string, Set<string>>,
): void {
  let changed = false;
  for (const label of issue.labels) {
    const spelt = spellLabel(label);
    changed ||= spelt !== label;
    if (spelt === undefined) {
      counts.add("labels", "labels", {
        kind: "mapped",
        to: "metadata beads.labels",
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
        : { kind: "mapped", to: "label, and metadata beads.labels", why: "spelt by our grammar" },
    );
  }
  if (changed) mapped.metadata["beads.labels"] = issue.labels;
}

function mapComments(issue: BeadsIssue, counts: Tally): ImportItem["comments"] {
  const taken = new Set<string>();
  return issue.comments.flatMap((comment) => {
    const body = storableText(comment.text);
    if (body.trim() === "") {
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
function countFilled(issue: BeadsIssue, mapped: MappedIssue, counts: Tally): void {
  if (mapped.author === undefined) fill(counts, "author", NO_AUTHOR);
  if (isEmptyValue(issue.fields["title"])) fill(counts, "title", NO_TITLE);
  if (isEmptyValue(issue.fields["updated_at"])) fill(counts, "updated_at", "created_at");
  if (issue.status === "closed" && isEmptyValue(issue.fields["closed_at"])) {
    fill(counts, "closed_at", "updated_at");
  }
  if (issue.status === "closed") fill(counts, "closed_reason", "done", OWN_REASONS);
}

function fill(counts: Tally, name: string, to: string, why = "the file has none"): void {
  counts.add("filled", name, { kind: "mapped", to, why });
}

function countTombstone(issue: BeadsIssue, counts: Tally): void {
  const outcome = { kind: "dropped", why: DELETED } as const;
  counts.add("statuses", issue.status, outcome);
  counts.add("types", issue.type, outcome);
  for (const _ of issue.labels) counts.add("labels", "labels", outcome);
  for (const _ of issue.comments) counts.add("comments", "comments", outcome);
  for (const [name, value] of Object.entries(issue.fields)) {
    if (!isEmptyValue(value)) counts.add(DATE_FIELDS.has(name) ? "dates" : "fields", name, outcome);
  }
}

function account(
  file: ReadFile,
  kept: number,
  edges: MappedEdges,
  counts: Tally,
  collisions: ReadonlyMap<string, ReadonlySet<string>>,
): Account {
  return {
    format: "beads",
    records: file.records,
    issues: file.byId.size,
    kept,
    tombstones: file.byId.size - kept,
    superseded: file.superseded,
    other_records: file.other,
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

/** The edge without `from`, which is the issue that stores it. */
function edgeOut({ to, kind, created_at, created_by }: BeadsEdge): JsonValue {
  return { to, kind, ...(created_at && { created_at }), ...(created_by && { created_by }) };
}

function actor(name: string | undefined): string {
  const cut = cutBytes(storableText(name ?? "").trim(), MAX_ACTOR_BYTES).trim();
  return cut === "" ? NO_AUTHOR : cut;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
