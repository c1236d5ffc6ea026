import type { Instant } from "../../base/clock.ts";
import { isPlainObject, type JsonObject, parseJson } from "../../base/json.ts";
import type { Mapping } from "../neutral/mapping.ts";
import { statusRule } from "../neutral/mapping-rules.ts";
import {
  optionalInstant,
  type SourceData,
  type SourceIssue,
  type SourceLink,
} from "../neutral/record.ts";
import { PARENT_DEFERRED } from "./fields.ts";
import { PARENT_KINDS, WAITS_FOR_CHILD, WAITS_FOR_KINDS } from "./mapping.ts";

/**
 * Adds to each issue the data of other issues that beads uses to decide whether the issue is ready:
 *
 * - An issue that `waits-for` another issue waits for the children of that issue.
 * - An issue is deferred as long as its parent is deferred.
 */
export function withReadiness(data: SourceData, mapping: Mapping): SourceData {
  const { byId } = data;
  const children = childrenOf(byId, mapping);
  return {
    ...data,
    byId: new Map(
      [...byId].map(([id, issue]) => [
        id,
        withParentDeferred(withChildrenWaitedFor(issue, children, mapping), byId),
      ]),
    ),
  };
}

/**
 * The maximum number of children that the issue waits for because of one `waits-for` edge, so that the issue stays
 * within the limit of links. The target of the edge blocks the issue too.
 */
const MAX_CHILDREN = 500;

function withChildrenWaitedFor(
  issue: SourceIssue,
  children: ReadonlyMap<string, readonly SourceIssue[]>,
  mapping: Mapping,
): SourceIssue {
  const { links = [] } = issue;
  const waits = links.filter(
    ({ kind }) => WAITS_FOR_KINDS.includes(kind) && mapping.links[kind] === "blocked-by",
  );
  if (waits.length === 0) return issue;
  const more = waits.flatMap((link): readonly SourceLink[] => {
    const { gate, spawner_id } = gateOf(link);
    const spawned = children.get(typeof spawner_id === "string" ? spawner_id : link.to) ?? [];
    const open = spawned.filter((child) => child.id !== issue.id && !isClosed(child, mapping));
    if (gate === "any-children" && spawned.some((child) => isClosed(child, mapping))) return [];
    const { created_at, created_by } = link;
    return open.slice(0, MAX_CHILDREN).map(({ id }) => ({
      from: issue.id,
      to: id,
      kind: WAITS_FOR_CHILD,
      ...(created_at && { created_at }),
      ...(created_by && { created_by }),
    }));
  });
  return { ...issue, links: [...links, ...more] };
}

/** Parses the metadata of a `waits-for` edge, which beads writes as JSON in a text. */
function gateOf({ more }: SourceLink): JsonObject {
  const metadata = more?.["metadata"];
  if (isPlainObject(metadata)) return metadata;
  if (typeof metadata !== "string") return {};
  try {
    const read = parseJson(metadata);
    return isPlainObject(read) ? read : {};
  } catch {
    return {};
  }
}

function isClosed(issue: SourceIssue, mapping: Mapping): boolean {
  return statusRule(issue, mapping)?.status === "closed";
}

function childrenOf(
  byId: ReadonlyMap<string, SourceIssue>,
  mapping: Mapping,
): ReadonlyMap<string, readonly SourceIssue[]> {
  const children = new Map<string, SourceIssue[]>();
  for (const issue of byId.values()) {
    if (statusRule(issue, mapping)?.status === "deleted") continue;
    for (const parent of parentsOf(issue)) {
      const list = children.get(parent);
      if (list === undefined) children.set(parent, [issue]);
      else list.push(issue);
    }
  }
  return children;
}

function withParentDeferred(
  issue: SourceIssue,
  byId: ReadonlyMap<string, SourceIssue>,
): SourceIssue {
  if (issue.status === "closed") return issue;
  const times = parentsOf(issue).flatMap((parent) => deferredUntil(byId.get(parent)) ?? []);
  const latest = times.sort().at(-1);
  if (latest === undefined) return issue;
  return { ...issue, fields: { ...issue.fields, [PARENT_DEFERRED]: latest } };
}

function deferredUntil(issue: SourceIssue | undefined): Instant | undefined {
  if (issue === undefined || issue.status === "closed") return undefined;
  return optionalInstant(issue.fields["defer_until"]) ?? undefined;
}

function parentsOf({ links = [] }: SourceIssue): readonly string[] {
  return links.flatMap(({ kind, to }) => (PARENT_KINDS.includes(kind) ? [to] : []));
}
