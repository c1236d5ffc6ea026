import { instantToMs, msToInstant } from "../../../../src/base/clock.ts";
import type { FieldValue } from "../../../../src/domain/bridges/values.ts";
import { day, NONE } from "../provider.ts";
import { FIELD_NAMES, type Field, type Side } from "./dates.ts";
import type { World } from "./world.ts";

const FIRST_MS = instantToMs("2027-01-01T00:00:00.000Z");
const DAY_MS = 86_400_000;

/** A date that there was never before, or sometimes none or the one that both sides had last. */
export function dateOf(m: World, number: number): readonly [Field, FieldValue] {
  const field = FIELD_NAMES[number % 2] ?? "deadline_on";
  if (number % 5 === 0) return [field, NONE];
  if (number % 7 === 0) return [field, m.dates.agreedOn(field)];
  const at = msToInstant(FIRST_MS + m.next() * DAY_MS);
  return [field, number % 5 === 1 ? { kind: "instant", value: at } : day(at.slice(0, 10))];
}

/** Notes the date that a person set. */
export async function setDate(
  m: World,
  field: Field,
  side: Side,
  value: FieldValue,
): Promise<void> {
  const bridge = await m.active();
  const states = await m.b.store.read(
    async ({ bridges }) => await bridges.fieldStates(bridge?.uid ?? ""),
  );
  const isMerged = states.some((one) => one.svc_field === field && one.baseline !== null);
  m.dates.set(field, side, value, isMerged);
}
