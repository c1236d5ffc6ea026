import { addDays } from "./days.ts";
import { checkedTiming, newTemplate, noDay, type Timing } from "./definition.ts";

/**
 * Throws what the daemon would refuse in a new series, and returns its first day. A client that creates the first issue
 * before the series checks with this before either.
 */
export async function checkSeries(
  timing: Timing,
  template: Parameters<typeof newTemplate>[0],
): Promise<{ readonly first: string }> {
  const checked = checkedTiming(timing);
  newTemplate(template);
  const { keyAfter } = await import("./occurrences.ts");
  const first = keyAfter(checked, addDays(checked.dtstart, -1));
  if (first === undefined) throw noDay();
  return { first };
}
