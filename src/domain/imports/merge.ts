import { type JsonValue, sameJson } from "../../base/json.ts";

/**
 * The state of an issue here (local) or in the tracker that it is imported from (upstream): values by field name
 * (`title`, `label.ui`, `metadata.estimate`, `blocked_by.<uid>`, `comment.<id>`). A field without a value is absent, so
 * sets and single values are merged in the same way.
 */
export type Fields = ReadonlyMap<string, JsonValue>;

/** New values by field; `undefined` removes the field. */
export type FieldChanges = ReadonlyMap<string, JsonValue | undefined>;

export type Side = "local" | "upstream";

/** A field that changed on both sides, to different values. */
export interface FieldConflict {
  readonly field: string;
  readonly base: JsonValue | undefined;
  readonly local: JsonValue | undefined;
  readonly upstream: JsonValue | undefined;
  /** The side whose value was chosen; without a decision the local value stays. */
  readonly decided: Side | undefined;
}

export interface Merge {
  /** The changes to make locally. */
  readonly changes: FieldChanges;
  readonly conflicts: readonly FieldConflict[];
  /**
   * The fields that the next merge compares with: those of upstream, except fields with an undecided conflict. Such a
   * field keeps its old base, so the next merge reports the conflict again.
   */
  readonly base: Fields;
}

/** The time of a close follows the status, so it is never a conflict by itself. */
const CLOSED_AT = "closed_at";

/**
 * Merges what upstream changed since `base`, the state at the last import. If only one side changed a field, that
 * side's value is kept.
 */
export function mergeFields(
  base: Fields,
  local: Fields,
  upstream: Fields,
  decide: (field: string) => Side | undefined,
): Merge {
  const changes = new Map<string, JsonValue | undefined>();
  const conflicts: FieldConflict[] = [];
  const next = new Map(upstream);
  for (const field of [...new Set([...base.keys(), ...upstream.keys()])].sort()) {
    const [was, here, there] = [base.get(field), local.get(field), upstream.get(field)];
    if (sameJson(was, there) || sameJson(here, there)) continue;
    if (sameJson(was, here)) changes.set(field, there);
    else if (field !== CLOSED_AT) {
      const decided = decide(field);
      conflicts.push({ field, base: was, local: here, upstream: there, decided });
      if (decided === "upstream") changes.set(field, there);
      if (decided === undefined) put(next, field, was);
    }
  }
  settleClosedAt({ base, local, upstream, changes, next });
  return { changes, conflicts, base: next };
}

export function applied(fields: Fields, changes: FieldChanges): Fields {
  const next = new Map(fields);
  apply(next, changes);
  return next;
}

/** Changes the fields themselves, for a caller that applies many changes one after the other. */
export function apply(fields: Map<string, JsonValue>, changes: FieldChanges): void {
  for (const [field, value] of changes) put(fields, field, value);
}

export function differences(from: Fields, to: Fields): FieldChanges {
  const names = new Set([...from.keys(), ...to.keys()]);
  return new Map(
    [...names]
      .filter((field) => !sameJson(from.get(field), to.get(field)))
      .map((field) => [field, to.get(field)]),
  );
}

/** Lets the time of a close follow the status: it is taken from the side whose status was chosen. */
export function settleClosedAt({
  base,
  local,
  upstream,
  changes,
  next,
}: Readonly<Record<"base" | "local" | "upstream", Fields>> & {
  readonly changes: Map<string, JsonValue | undefined>;
  readonly next: Map<string, JsonValue>;
}): void {
  const status = changes.has("status") ? changes.get("status") : local.get("status");
  const isUpstreams = sameJson(status, upstream.get("status"));
  if (!isUpstreams) changes.delete(CLOSED_AT);
  else if (changes.has("status") && !sameJson(local.get(CLOSED_AT), upstream.get(CLOSED_AT)))
    changes.set(CLOSED_AT, upstream.get(CLOSED_AT));
  if (!sameJson(next.get("status"), upstream.get("status")))
    put(next, CLOSED_AT, base.get(CLOSED_AT));
}

function put(fields: Map<string, JsonValue>, field: string, value: JsonValue | undefined): void {
  if (value === undefined) fields.delete(field);
  else fields.set(field, value);
}
