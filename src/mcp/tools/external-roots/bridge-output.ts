import { z } from "zod";
import type {
  getExternalRootBridge,
  listConnectorFields,
  mapConnectorField,
} from "../../../contract/bridges.ts";
import type { Output } from "../../../contract/route.ts";
import { firstRows, roomFor } from "../../budget.ts";
import { ProjectIdentity } from "../../objects.ts";
import { shortened } from "../../views.ts";

/** A bridge, field or mapping in the form of the daemon's answer. It names neither root nor account. */
export const Row = z.record(z.string(), z.unknown());

export const BridgeOutput = z.strictObject({ project: ProjectIdentity, bridge: Row });
export const MappingOutput = z.strictObject({ instance: z.string(), mapping: Row });

/** Names of fields are a provider's, and reasons a person's; both can have thousands of characters. */
const TEXT_BYTES = 200;

/** Returns a bridge with a short reason of its pause. */
export function bridgeOf(bridge: Output<typeof getExternalRootBridge>): z.output<typeof Row> {
  const { paused_reason } = bridge;
  if (paused_reason === undefined) return bridge;
  return { ...bridge, paused_reason: shortened(paused_reason, TEXT_BYTES) };
}

/** Returns a mapping with a short name of its field. */
export function mappingOf(mapping: Output<typeof mapConnectorField>): z.output<typeof Row> {
  const external_field_name = shortened(mapping.external_field_name, TEXT_BYTES);
  return { ...mapping, external_field_name };
}

/** Returns the fields that fit into an answer, with short names, and the mappings. A field can be mapped without it. */
export function fieldsOf({ fields, mappings }: Output<typeof listConnectorFields>) {
  const mapped = mappings.map(mappingOf);
  const room = { ...roomFor(undefined, { mapped }), rows: fields.length };
  const named = fields.map((field) => ({
    ...field,
    display_name: shortened(field.display_name, TEXT_BYTES),
  }));
  const shown = firstRows(named, room);
  return { fields: [...shown], mappings: mapped, truncated: shown.length < fields.length };
}
