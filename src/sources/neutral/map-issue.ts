import type { JsonValue } from "../../base/json.ts";
import { NO_AUTHOR, storableActor } from "../../domain/imports/storable-actor.ts";
import { storableFields } from "../../domain/imports/storable-text.ts";
import type { Tally } from "./account.ts";
import type { MappedEdges, MappedLink } from "./edges.ts";
import {
  applyStatus,
  applyType,
  isEmptyValue,
  keepInMetadata,
  lastChange,
  leaveOut,
  NO_TITLE,
} from "./fields.ts";
import { countFilled } from "./filled.ts";
import type { ImportItem } from "./item.ts";
import { mapLabels } from "./labels.ts";
import { mapComments } from "./map-comments.ts";
import type { Mapping, StatusRule } from "./mapping.ts";
import { statusRule, typeRule } from "./mapping-rules.ts";
import { applyParked, park } from "./park.ts";
import type { FieldRule, MappedIssue, SourceIssue, SourceLink, SourceReader } from "./record.ts";

export interface Work {
  readonly reader: SourceReader;
  readonly mapping: Mapping;
  readonly edges: MappedEdges;
  /** The ids of the issues that have open children in the source. */
  readonly openParents: ReadonlySet<string>;
  readonly isMissing: (id: string) => boolean;
  readonly counts: Tally;
  readonly collisions: Map<string, Set<string>>;
}

export function mapIssue(issue: SourceIssue, work: Work): ImportItem {
  const { reader, mapping, edges, counts } = work;
  const status = statusRule(issue, mapping);
  const hasOpenChildren = work.openParents.has(issue.id);
  const mapped = newMappedIssue(reader.prefix, status, hasOpenChildren);
  for (const [name, value] of Object.entries(issue.fields)) {
    if (isEmptyValue(value)) continue;
    const outcome = ruleOf(reader, name, value)(value, mapped, issue, name);
    counts.add(reader.dates.has(name) ? "dates" : "fields", name, outcome);
  }
  counts.add("statuses", issue.status, applyStatus(issue, mapped, status, mapping));
  const type = typeRule(issue, mapping);
  if (issue.type !== undefined && type !== "ignore")
    counts.add("types", issue.type, applyType(issue.type, mapped, type));
  mapLabels(issue, mapped, work);
  countFilled(issue, mapped, counts);
  if (mapping.parksMissingBlockers === true) parkForMissing(issue, mapped, work);
  applyParked(mapped);
  const inexact = edges.inexact.get(issue.id);
  if (inexact !== undefined) mapped.metadata[`${reader.prefix}.edges`] = inexact.map(edgeOut);
  const links = edges.links.get(issue.id) ?? (issue.links === undefined ? undefined : []);
  return {
    ...finish(issue, mapped),
    ...(issue.comments !== undefined && { comments: mapComments(issue, issue.comments, counts) }),
    ...(links !== undefined && { links: links.map(linkOut) }),
  };
}

/** Parks an issue that is blocked by issues which the source does not have. */
function parkForMissing({ id }: SourceIssue, mapped: MappedIssue, { edges, isMissing }: Work) {
  const links = edges.links.get(id) ?? [];
  for (const { to, incoming } of links)
    if (incoming === true && isMissing(to)) park(mapped, `dependency ${to} is missing`);
}

function linkOut(link: MappedLink): NonNullable<ImportItem["links"]>[number] {
  return {
    type: link.type,
    target_external_id: link.to,
    ...(link.incoming === undefined ? {} : { incoming: link.incoming }),
    author: storableActor(link.edge.created_by),
    ...(link.edge.created_at === undefined ? {} : { created_at: link.edge.created_at }),
  };
}

const UNSET = leaveOut("the value of an unset field");

function ruleOf({ rules, zeroIsUnset }: SourceReader, name: string, value: JsonValue): FieldRule {
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (rule !== undefined) return rule;
  return zeroIsUnset === true && (value === false || value === 0) ? UNSET : keepInMetadata;
}

function newMappedIssue(
  prefix: string,
  status: StatusRule | undefined,
  hasOpenChildren: boolean,
): MappedIssue {
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
    hasOpenChildren,
    parkedBy: [],
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

/** Returns an edge as the metadata of its issue stores it. `from` is left out, because it is the id of this issue. */
function edgeOut({ to, kind, created_at, created_by, more }: SourceLink): JsonValue {
  return {
    ...more,
    to,
    kind,
    ...(created_at && { created_at }),
    ...(created_by && { created_by }),
  };
}
