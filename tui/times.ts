import { localZone } from "../src/base/zone.ts";
import type { Times } from "../src/screen/times.ts";
import { cells, fitName } from "./text.ts";

export function timeCells({ preferences: { times } }: Pick<Times, "preferences">): number {
  return times === "ago" ? 4 : 11;
}

/** The heading of a column of times. If times are clock times, it is the city of the zone (`New_York`). */
export function timeHeader(
  { preferences: { times } }: Pick<Times, "preferences">,
  ago: string,
): string {
  return times === "ago" ? ago : (localZone().split("/").at(-1) ?? "");
}

/** The name of a time zone, cut to a width. The end is kept, because it is the distinctive part. */
export function zoneIn(zone: string, room: number): string {
  return fitName(zone, Math.min(cells(zone), room));
}
