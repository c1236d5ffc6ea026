import type { JsonObject } from "../../base/json.ts";
import { textFlag } from "./flags.ts";

export const plannedFlags = {
  schedule: textFlag("not ready before this date; as svc schedule takes it", "<date>"),
  deadline: textFlag("due on this date; as svc deadline takes it", "<date>"),
};

const KEYS = { schedule: "scheduled_on", deadline: "deadline_on" } as const;

/**
 * Returns the metadata for `--schedule` and `--deadline`; `undefined` if neither was given. If `canClear`, the value
 * `-` clears a date. `tell` reports which date a word such as `fri` means.
 */
export async function plannedMetadata(
  flags: Readonly<Record<keyof typeof KEYS, string | undefined>>,
  { canClear, tell }: { readonly canClear: boolean; readonly tell: (text: string) => void },
): Promise<JsonObject | undefined> {
  const dates = (["schedule", "deadline"] as const).flatMap((flag) => {
    const text = flags[flag];
    return text === undefined ? [] : [{ flag, text }];
  });
  if (dates.length === 0) return undefined;
  // Load this only when it is needed: most calls have no date.
  const { plannedOf } = await import("../../shared/moment.ts");
  const { hereAndNow } = await import("./when.ts");
  const entries = dates.map(({ flag, text }) => {
    if (canClear && text === "-") return [KEYS[flag], null];
    const date = plannedOf(`--${flag}`, text, hereAndNow());
    if (date !== text) tell(`--${flag} ${text} is ${date}`);
    return [KEYS[flag], date];
  });
  return Object.fromEntries(entries) as JsonObject;
}
