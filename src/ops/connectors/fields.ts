import type {
  listConnectorFields as listContract,
  mapConnectorField as mapContract,
  unmapConnectorField as unmapContract,
} from "../../contract/bridges.ts";
import { invalidField, SvcError } from "../../contract/errors.ts";
import type { Input, Output } from "../../contract/route.ts";
import { isSameField } from "../../domain/bridges/merge-field.ts";
import { accountRedactor } from "../../domain/bridges/redaction.ts";
import { type Descriptor, FIELD_KINDS } from "../../domain/bridges/values.ts";
import type { FieldMapping } from "../../store/types/bridges.ts";
import type { Tx } from "../../store/types/store.ts";
import { requireWriter } from "../actor.ts";
import type { ConnectorClient } from "../bridges/far-side.ts";
import { conflict, unusable, withRefusals } from "../bridges/faults.ts";
import { mappedOf } from "../bridges/fields.ts";
import { requireClient, requireConnectors } from "../bridges/require-client.ts";
import type { RunDeps } from "../bridges/run.ts";
import type { Principal } from "../deps.ts";

type Needs = Pick<RunDeps, "store" | "roots" | "ids">;
type MappingOut = Output<typeof mapContract>;

/** `gone` is aborted if the caller stops waiting. */
export async function listConnectorFields(
  { store, roots }: Pick<Needs, "store" | "roots">,
  { params: { instance } }: Pick<Input<typeof listContract>, "params">,
  gone: AbortSignal,
): Promise<Output<typeof listContract>> {
  const client = requireClient(roots, instance, gone);
  const fields = await withRefusals(async () => await fieldsOf(client));
  const mappings = await store.read(async ({ bridges }) => await bridges.mappings(instance));
  return { fields: fields.map(fieldOut), mappings: mappings.map(mappingOut) };
}

/**
 * Throws `external_root_conflict` if the connector has no fields that can be kept alike. The account is neither in the
 * names of the fields nor in what else is shown of them.
 */
async function fieldsOf(client: ConnectorClient): Promise<readonly Descriptor[]> {
  const { capabilities, account_identity } = await client.describe();
  if (!capabilities.includes("fields") || !capabilities.includes("conditional_fields"))
    throw conflict("the connector has no date fields that svc can keep alike");
  const hide = accountRedactor(account_identity);
  const fields = await client.listFields();
  if (fields.some(({ id, schema_revision: at }) => hide(id) !== id || hide(at) !== at))
    throw unusable("field_names_account");
  return fields.map((field) => ({ ...field, display_name: hide(field.display_name) }));
}

/**
 * Maps a date of issues to a field of the connector, for all its bridges. The same mapping again changes nothing;
 * another one replaces it, and its conflicts vanish.
 */
export async function mapConnectorField(
  { store, roots, ids }: Needs,
  who: Principal,
  { params: { instance, svc_field }, body }: Input<typeof mapContract>,
  gone: AbortSignal,
): Promise<MappingOut> {
  requireWriter(who);
  const client = requireClient(roots, instance, gone);
  const fields = await withRefusals(async () => await fieldsOf(client));
  const field = requireMappable(fields, body.external_field);
  return await store.write(async (tx) => {
    if (await tx.bridges.hasClaim(instance, tx.now))
      throw conflict("a run works on a bridge of the connector now", "try again in a moment");
    const mappings = await tx.bridges.mappings(instance);
    const before = mappings.find((one) => one.svc_field === svc_field);
    if (before !== undefined && isSameMapping(before, field)) return mappingOut(before);
    if (mappings.some((one) => one !== before && one.external_field_id === field.id))
      throw invalidField("external_field", "the field is mapped to the other date of issues");
    if (before !== undefined) await deactivate(tx, before);
    const mapping = {
      ...newMapping(tx, field),
      uid: ids.ulid(),
      connector_instance: instance,
      svc_field,
    };
    await tx.unfolded.put("external_field_mapping", mapping);
    return mappingOut(mapping);
  });
}

/** Finds a field by its id, or by its name if only one field has it. */
function requireMappable(fields: readonly Descriptor[], wanted: string): Descriptor {
  const named = fields.filter(({ display_name }) => display_name === wanted);
  const field = fields.find(({ id }) => id === wanted) ?? named[0];
  if (field === undefined) throw new SvcError("external_field_not_found", {});
  if (field.id !== wanted && named.length > 1)
    throw invalidField("external_field", "several fields have this name; use an id");
  if (!field.writable || !field.nullable || field.accepted_kinds.every((kind) => kind === "null"))
    throw invalidField("external_field", "the field cannot be written, or not be empty");
  return field;
}

function isSameMapping(before: FieldMapping, field: Descriptor): boolean {
  return before.external_field_name === field.display_name && isSameField(field, mappedOf(before));
}

function newMapping(
  { now }: Tx,
  field: Descriptor,
): Omit<FieldMapping, "uid" | "connector_instance" | "svc_field"> {
  return {
    ...{ external_field_id: field.id, external_field_name: field.display_name },
    ...{ accepted_kinds: [...field.accepted_kinds], schema_revision: field.schema_revision },
    ...{ nullable: field.nullable ? 1 : 0, writable: field.writable ? 1 : 0, active: 1 },
    ...{ created_at: now, updated_at: now },
  };
}

async function deactivate(tx: Tx, mapping: FieldMapping): Promise<FieldMapping> {
  const after = { ...mapping, active: 0, updated_at: tx.now } as const;
  await tx.unfolded.put("external_field_mapping", after);
  return after;
}

/** Ends the mapping of a date. Its conflicts vanish, and both sides keep their values. */
export async function unmapConnectorField(
  { store, roots }: Pick<Needs, "store" | "roots">,
  who: Principal,
  { params: { instance, svc_field } }: Pick<Input<typeof unmapContract>, "params">,
): Promise<MappingOut> {
  requireWriter(who);
  if (!requireConnectors(roots).instances().includes(instance))
    throw new SvcError("bridge_not_found");
  return await store.write(async (tx) => {
    const mapping = await tx.bridges.mapping(instance, svc_field);
    if (mapping === undefined)
      throw new SvcError("external_field_not_found", {}, { message: "the date is not mapped" });
    return mappingOut(await deactivate(tx, mapping));
  });
}

function fieldOut(field: Descriptor): Output<typeof listContract>["fields"][number] {
  return { ...field, accepted_kinds: [...field.accepted_kinds] };
}

function mappingOut(mapping: FieldMapping): MappingOut {
  const { svc_field, external_field_id, external_field_name, schema_revision } = mapping;
  return {
    ...{ svc_field, external_field_id, external_field_name, schema_revision },
    accepted_kinds: FIELD_KINDS.filter((kind) => mapping.accepted_kinds.includes(kind)),
    ...{ nullable: mapping.nullable === 1, writable: mapping.writable === 1 },
    active: mapping.active === 1,
  };
}
