import { sameValue } from "./field-values.ts";
import type { Descriptor, FieldValue } from "./values.ts";

/** What the provider said of a field when it was mapped. */
export type MappedField = Pick<
  Descriptor,
  "id" | "accepted_kinds" | "nullable" | "writable" | "schema_revision"
>;

export interface FieldSides {
  /** The value on which both sides agreed last; `undefined` before the first merge. */
  readonly baseline: FieldValue | undefined;
  /** The value of the issue; `undefined` if that is no valid date. */
  readonly local: FieldValue | undefined;
  readonly external: FieldValue;
  /** What the provider says of the field now; `undefined` if it has no such field any more. */
  readonly descriptor: Descriptor | undefined;
  readonly mapped: MappedField;
  /** Whether an earlier merge found a conflict that nobody has resolved. */
  readonly conflicted: boolean;
}

/**
 * What is to be done for one field (docs/contract/connectors.md):
 * - `equal`: both sides have this value.
 * - `take`: the issue gets the provider's value.
 * - `write`: the provider gets the value, if it still has `expected`.
 * - `conflict`: a person must choose a side. Nothing of this field is changed.
 */
export type FieldMerge =
  | { readonly kind: "equal"; readonly value: FieldValue }
  | { readonly kind: "take"; readonly value: FieldValue }
  | { readonly kind: "write"; readonly value: FieldValue; readonly expected: FieldValue }
  | { readonly kind: "conflict" };

const CONFLICT: FieldMerge = { kind: "conflict" };

/**
 * Merges one field. At the first merge, a side without a value takes the other's; later, the side that changed since
 * the baseline wins. A conflict stays until somebody resolves it or both sides have the same value.
 */
export function mergeField(sides: FieldSides): FieldMerge {
  const { local, external, conflicted } = sides;
  if (local === undefined || !isUsable(sides)) return CONFLICT;
  if (sameValue(local, external)) return { kind: "equal", value: external };
  const winner = conflicted ? undefined : winnerOf(sides, local);
  if (winner === "external") return { kind: "take", value: external };
  if (winner === "local") return { kind: "write", value: local, expected: external };
  return CONFLICT;
}

/** Which side has the newer value; `undefined` if both have one. */
function winnerOf(
  { baseline, external }: FieldSides,
  local: FieldValue,
): "local" | "external" | undefined {
  const unchanged = baseline ?? { kind: "null" };
  if (sameValue(local, unchanged)) return "external";
  return sameValue(external, unchanged) ? "local" : undefined;
}

/** Whether the field is still the one that was mapped, and both values are of a kind that it accepts. */
function isUsable({ descriptor, mapped, local, external }: FieldSides): boolean {
  return (
    descriptor !== undefined &&
    isSameField(descriptor, mapped) &&
    [local, external].every((value) => value !== undefined && accepts(mapped, value))
  );
}

export function isSameField(found: MappedField, mapped: MappedField): boolean {
  const kindsOf = ({ accepted_kinds }: MappedField) => String([...new Set(accepted_kinds)].sort());
  return (
    found.id === mapped.id &&
    found.schema_revision === mapped.schema_revision &&
    found.nullable === mapped.nullable &&
    found.writable === mapped.writable &&
    kindsOf(found) === kindsOf(mapped)
  );
}

/** A field that may be empty accepts `null`, also if it does not name this kind. */
export function accepts(field: MappedField, { kind }: FieldValue): boolean {
  return kind === "null" ? field.nullable : field.accepted_kinds.includes(kind);
}
