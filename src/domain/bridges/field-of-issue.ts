import type { JsonObject } from "../../base/json.ts";
import type { MetadataPatch } from "../metadata.ts";
import { canonicalValue } from "./field-values.ts";
import type { FieldValue } from "./values.ts";

/** The planning dates of an issue that can be mapped to fields of a provider. */
export const SVC_FIELDS = ["scheduled_on", "deadline_on"] as const;
export type SvcField = (typeof SVC_FIELDS)[number];

/**
 * Returns the planning date of an issue as a field's value, or `undefined` if it is no valid date. A wall time is read
 * in the issue's `timezone`, without that in `daemonZone`, and is widened to seconds.
 */
export function fieldOfIssue(
  metadata: JsonObject,
  field: SvcField,
  daemonZone: string,
): FieldValue | undefined {
  const value = metadata[field];
  if (value === undefined) return { kind: "null" };
  if (typeof value !== "string") return undefined;
  if (value.endsWith("Z")) return canonicalValue({ kind: "instant", value });
  if (!value.includes("T")) return canonicalValue({ kind: "date", value });
  const zone = metadata["timezone"];
  const timezone = typeof zone === "string" ? zone : daemonZone;
  const widened = value.length === MINUTES ? `${value}:00` : value;
  return canonicalValue({ kind: "local_datetime", value: widened, timezone });
}

/** The length of YYYY-MM-DDTHH:MM. */
const MINUTES = 16;

/** The change of metadata that gives the issue this value. Only a wall time changes `timezone`. */
export function patchOfField(field: SvcField, value: FieldValue): MetadataPatch {
  if (value.kind === "null") return { [field]: null };
  if (value.kind !== "local_datetime") return { [field]: value.value };
  return { [field]: value.value, timezone: value.timezone };
}
