import type { JsonObject } from "../../base/json.ts";
import {
  fieldOfIssue,
  patchOfField,
  SVC_FIELDS,
  type SvcField,
} from "../../domain/bridges/field-of-issue.ts";
import { canonicalValue, sameValue } from "../../domain/bridges/field-values.ts";
import { type FieldMerge, type MappedField, mergeField } from "../../domain/bridges/merge-field.ts";
import { withoutZoneClash } from "../../domain/bridges/merge-zones.ts";
import { type Descriptor, FIELD_KINDS, type FieldValue } from "../../domain/bridges/values.ts";
import { externalFieldConflicted, externalFieldResolved } from "../../domain/drafts/bridges.ts";
import { decideMetadata } from "../../domain/issues.ts";
import type { FieldMapping, FieldState } from "../../store/types/bridges.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import { reload } from "../find.ts";
import { ConnectorFault } from "./far-side.ts";
import { unusable } from "./faults.ts";
import type { Run, RunWrite } from "./run.ts";

/** A mapped field with what its provider says of it now. */
export interface FoundField {
  readonly mapping: FieldMapping;
  /** Undefined if the provider has no such field any more. */
  readonly descriptor: Descriptor | undefined;
  readonly external: FieldValue;
}

/** Makes the mapped dates of the issue and of its root alike. Returns how many are in conflict. */
export async function mergeFields(run: Run, capabilities: readonly string[]): Promise<number> {
  const { rootKey, mappings } = await run.write(async (tx, { bridge }) => ({
    rootKey: bridge.external_root_key,
    mappings: await tx.bridges.mappings(bridge.connector_instance),
  }));
  if (mappings.length === 0) return 0;
  requireFields(capabilities);
  const found = await readFields(run, rootKey, mappings);
  const merges = await run.write(async (tx, now) => await settle(run, tx, now, found));
  let conflicts = [...merges.values()].filter(({ kind }) => kind === "conflict").length;
  for (const field of found) {
    const merge = merges.get(field.mapping.svc_field);
    if (merge?.kind === "write" && (await sendValue(run, rootKey, field, merge))) conflicts += 1;
  }
  return conflicts;
}

/** Gives the root the value of the issue. Returns whether that is a conflict. */
async function sendValue(
  run: Run,
  rootKey: string,
  field: FoundField,
  merge: Extract<FieldMerge, { kind: "write" }>,
): Promise<boolean> {
  const { mapping } = field;
  if (!(await run.write(async (tx, now) => await noteSent(tx, now, mapping, merge.value))))
    return false;
  const external = await writeField(run, rootKey, mapping, merge);
  return await run.write(async (tx, now) => {
    if (!(await isMapped(tx, mapping))) return false;
    const isAgreed = sameValue(external, merge.value);
    if (isAgreed) await noteAgreed(tx, now, mapping, merge.value);
    else {
      const local = localValues(now.issue, run.deps.settings.timezone).get(mapping.svc_field);
      await noteConflict(tx, now, { ...field, external }, local);
    }
    return !isAgreed;
  });
}

/**
 * Notes the value before it is sent: if the answer is lost and the provider has the value later, it came from here.
 * Returns false if the date is not mapped any more.
 */
async function noteSent(
  tx: Tx,
  { bridge, issue }: RunWrite,
  mapping: FieldMapping,
  value: FieldValue,
): Promise<boolean> {
  if (!(await isMapped(tx, mapping))) return false;
  const state = await tx.bridges.fieldState(bridge.uid, mapping.uid);
  await tx.unfolded.put("external_field_state", {
    ...{ binding_uid: bridge.uid, issue_uid: issue.uid, mapping_uid: mapping.uid },
    ...{ baseline: state?.baseline ?? null, conflicted: 0, conflict_local: { ...value } },
    ...{ conflict_external: null, conflict_at: null, updated_at: tx.now },
  });
  return true;
}

/** Whether the date is still mapped to this field. Nobody is kept from ending a mapping while a run uses it. */
export async function isMapped(
  { bridges }: Pick<Tx, "bridges">,
  { uid, connector_instance, svc_field }: FieldMapping,
): Promise<boolean> {
  return (await bridges.mapping(connector_instance, svc_field))?.uid === uid;
}

/** Dates are only kept alike where a write can be refused because of a newer value. */
export function requireFields(capabilities: readonly string[]): void {
  if (!capabilities.includes("fields") || !capabilities.includes("conditional_fields"))
    throw unusable("fields_not_supported");
}

/** Reads the mapped fields of the root, and what the provider says of them. */
export async function readFields(
  run: Run,
  rootKey: string,
  mappings: readonly FieldMapping[],
): Promise<readonly FoundField[]> {
  const descriptors = await run.call(async (client) => await client.listFields());
  const byId = new Map(descriptors.map((descriptor) => [descriptor.id, descriptor]));
  const ids = mappings.map(({ external_field_id: id }) => id).filter((id) => byId.has(id));
  const values =
    ids.length === 0
      ? new Map<string, FieldValue>()
      : await run.call(async (client) => await client.readFields(rootKey, ids));
  return mappings.map((mapping) => ({
    mapping,
    descriptor: byId.get(mapping.external_field_id),
    external: values.get(mapping.external_field_id) ?? { kind: "null" },
  }));
}

/** Merges all fields that are still mapped, and writes the results that need no call of the connector. */
async function settle(
  { deps }: Run,
  tx: Tx,
  now: RunWrite,
  found: readonly FoundField[],
): Promise<ReadonlyMap<SvcField, FieldMerge>> {
  const local = localValues(now.issue, deps.settings.timezone);
  const decided = new Map<SvcField, FieldMerge>();
  for (const field of found) {
    if (!(await isMapped(tx, field.mapping))) continue;
    const state = await tx.bridges.fieldState(now.bridge.uid, field.mapping.uid);
    decided.set(field.mapping.svc_field, mergeOf(field, state, local.get(field.mapping.svc_field)));
  }
  const merges = withoutZoneClash(decided, local);
  let issue = now.issue;
  for (const field of found) {
    const merge = merges.get(field.mapping.svc_field);
    const value = local.get(field.mapping.svc_field);
    if (merge?.kind === "take")
      issue = await takeValue(tx, { ...now, issue }, field.mapping.svc_field, merge.value);
    if (merge?.kind === "take" || merge?.kind === "equal")
      await noteAgreed(tx, { ...now, issue }, field.mapping, merge.value);
    if (merge?.kind === "conflict") await noteConflict(tx, { ...now, issue }, field, value);
  }
  return merges;
}

/** The dates of an issue as values of fields; one that is no valid date is undefined. */
export function localValues(
  { metadata }: Pick<StoredIssue, "metadata">,
  daemonZone: string,
): ReadonlyMap<SvcField, FieldValue | undefined> {
  return new Map(SVC_FIELDS.map((field) => [field, fieldOfIssue(metadata, field, daemonZone)]));
}

function mergeOf(
  { mapping, descriptor, external }: FoundField,
  state: FieldState | undefined,
  local: FieldValue | undefined,
): FieldMerge {
  const baseline = baselineOf(state, external);
  const conflicted = state?.conflicted === 1;
  return mergeField({
    baseline,
    local,
    external,
    descriptor,
    mapped: mappedOf(mapping),
    conflicted,
  });
}

/** If the root has the value that was sent, both sides had it, although the answer to the write was lost. */
function baselineOf(state: FieldState | undefined, external: FieldValue): FieldValue | undefined {
  const sent = sentOf(state);
  if (sent !== undefined && sameValue(sent, external)) return sent;
  return storedValue(state?.baseline ?? null);
}

/** The value that was sent and may have arrived. */
function sentOf(state: FieldState | undefined): FieldValue | undefined {
  return state?.conflicted === 0 ? storedValue(state.conflict_local) : undefined;
}

export function storedValue(stored: JsonObject | null): FieldValue | undefined {
  return stored === null ? undefined : canonicalValue(stored);
}

export function mappedOf(mapping: FieldMapping): MappedField {
  return {
    ...{ id: mapping.external_field_id, schema_revision: mapping.schema_revision },
    accepted_kinds: FIELD_KINDS.filter((kind) => mapping.accepted_kinds.includes(kind)),
    ...{ nullable: mapping.nullable === 1, writable: mapping.writable === 1 },
  };
}

/** Gives the issue the value of a field, and returns the issue after it. */
export async function takeValue(
  tx: Tx,
  { issue, act }: Pick<RunWrite, "issue" | "act">,
  field: SvcField,
  value: FieldValue,
): Promise<StoredIssue> {
  const decided = decideMetadata(issue, patchOfField(field, value), act);
  if (decided === "unchanged") return issue;
  await tx.append(decided);
  return await reload(tx, issue);
}

/** Notes that both sides have the value. A conflict of the field is over by it. */
export async function noteAgreed(
  tx: Tx,
  { bridge, issue, act }: RunWrite,
  { uid: mapping_uid, svc_field }: FieldMapping,
  value: FieldValue,
): Promise<void> {
  const state = await tx.bridges.fieldState(bridge.uid, mapping_uid);
  const before = storedValue(state?.baseline ?? null);
  const wasConflicted = state?.conflicted === 1;
  const isKnown = before !== undefined && sameValue(before, value) && sentOf(state) === undefined;
  if (isKnown && !wasConflicted) return;
  await tx.unfolded.put("external_field_state", {
    ...{ binding_uid: bridge.uid, issue_uid: issue.uid, mapping_uid, baseline: { ...value } },
    ...{
      conflicted: 0,
      conflict_local: null,
      conflict_external: null,
      conflict_at: null,
    },
    updated_at: tx.now,
  });
  if (!wasConflicted) return;
  await tx.append(externalFieldResolved(issue, bridge, svc_field, act));
}

/**
 * Notes a conflict with both values. Writes an event if it is a new one, or if a value is another one than it had, so
 * that nobody decides about values that they have not seen.
 */
export async function noteConflict(
  tx: Tx,
  { bridge, issue, act }: RunWrite,
  { mapping: { uid: mapping_uid, svc_field }, descriptor, external }: FoundField,
  local: FieldValue | undefined,
): Promise<void> {
  const state = await tx.bridges.fieldState(bridge.uid, mapping_uid);
  const there = descriptor === undefined ? undefined : external;
  const isKnown =
    state?.conflicted === 1 &&
    isStored(state.conflict_local, local) &&
    isStored(state.conflict_external, there);
  await tx.unfolded.put("external_field_state", {
    ...{ binding_uid: bridge.uid, issue_uid: issue.uid, mapping_uid, conflicted: 1 },
    baseline: state?.baseline ?? null,
    conflict_local: local === undefined ? null : { ...local },
    conflict_external: there === undefined ? null : { ...there },
    conflict_at: isKnown ? state.conflict_at : tx.now,
    updated_at: tx.now,
  });
  if (isKnown) return;
  await tx.append(externalFieldConflicted(issue, bridge, svc_field, act));
}

function isStored(stored: JsonObject | null, value: FieldValue | undefined): boolean {
  const known = storedValue(stored);
  return known === undefined || value === undefined ? known === value : sameValue(known, value);
}

/**
 * Writes a value to the root if that still has the expected one, and returns the value that the root has then. If that
 * is another one, the field is in conflict.
 */
export async function writeField(
  run: Run,
  root_key: string,
  { external_field_id: id }: FieldMapping,
  { value, expected }: { readonly value: FieldValue; readonly expected: FieldValue },
): Promise<FieldValue> {
  try {
    const [values, before] = [new Map([[id, value]]), new Map([[id, expected]])];
    await run.call(
      async (client) => await client.writeFields({ root_key, values, expected: before }),
    );
  } catch (error) {
    if (!(error instanceof ConnectorFault && error.code === "field_conflict")) throw error;
  }
  const now = await run.call(async (client) => await client.readFields(root_key, [id]));
  return now.get(id) ?? { kind: "null" };
}
