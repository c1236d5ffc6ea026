import { addDays } from "./days.ts";
import { checkedTiming, newTemplate, noDay, type Timing } from "./definition.ts";

/**
 * Returns the first day of a new series; throws if the daemon would refuse the series. Clients that create the
 * first issue before the series call this before they create anything.
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
