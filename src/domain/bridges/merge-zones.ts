import { SVC_FIELDS, type SvcField } from "./field-of-issue.ts";
import type { FieldMerge } from "./merge-field.ts";
import type { FieldValue } from "./values.ts";

type Merges = ReadonlyMap<SvcField, FieldMerge>;

/**
 * Turns takes into conflicts where two wall times would need two time zones: an issue has one `timezone` for both of
 * its dates. `local` has the values, also of fields that are not mapped. Both dates may move to a new zone
 * together. Dates without a time, instants and empty fields need no zone.
 */
export function withoutZoneClash(
  merges: Merges,
  local: ReadonlyMap<SvcField, FieldValue | undefined>,
): Merges {
  const taken = SVC_FIELDS.flatMap((field) => {
    const merge = merges.get(field);
    const zone = merge?.kind === "take" ? zoneOf(merge.value) : undefined;
    return zone === undefined ? [] : [{ field, zone }];
  });
  const kept = SVC_FIELDS.filter((field) => merges.get(field)?.kind !== "take");
  const zones = kept.flatMap((field) => zoneOf(local.get(field)) ?? []);
  const fits = ({ zone }: { readonly zone: string }) =>
    zones.length > 0 ? zones.includes(zone) : taken.every((other) => other.zone === zone);
  const stopped = taken.filter((one) => !fits(one));
  if (stopped.length === 0) return merges;
  const conflicts = stopped.map(({ field }) => [field, { kind: "conflict" }] as const);
  // The issue keeps the dates of these fields now, whose zone may clash with a take that is left.
  return withoutZoneClash(new Map<SvcField, FieldMerge>([...merges, ...conflicts]), local);
}

function zoneOf(value: FieldValue | undefined): string | undefined {
  return value?.kind === "local_datetime" ? value.timezone : undefined;
}
