import type { ImportAccount, ImportAccountRow, Tally } from "./account.ts";
import { isEmptyValue } from "./fields.ts";
import type { Work } from "./map-issue.ts";
import type { Mapping } from "./mapping.ts";
import type { SourceData, SourceIssue } from "./record.ts";

export interface SortedIssues {
  readonly kept: SourceIssue[];
  readonly tombstone: SourceIssue[];
  readonly "no work": SourceIssue[];
}

export function countLeftOut(issue: SourceIssue, { reader, counts }: Work, why: string): void {
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

export function account(
  data: SourceData,
  sorted: SortedIssues,
  { reader, edges, counts, collisions }: Work,
): ImportAccount {
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

export function idsByType(issues: readonly SourceIssue[]): NonNullable<ImportAccount["no_work"]> {
  const types = new Map<string, string[]>();
  for (const { type = "", id } of issues) {
    const ids = types.get(type) ?? [];
    ids.push(id);
    types.set(type, ids);
  }
  return [...types].map(([type, ids]) => ({ type, ids }));
}

export function unmapped(counts: Tally, mapping: Mapping): NonNullable<ImportAccount["unmapped"]> {
  const missing = (words: readonly ImportAccountRow[], rules: object): readonly string[] =>
    words.map(({ name }) => name).filter((name) => !Object.hasOwn(rules, name));
  return {
    statuses: missing(counts.rows("statuses"), mapping.statuses),
    types: missing(counts.rows("types"), mapping.types),
    links: missing(counts.rows("edges"), mapping.links),
  };
}
