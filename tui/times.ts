import { localZone } from "../src/base/zone.ts";
import type { Times } from "../src/screen/times.ts";
import { cells, fitName } from "./text.ts";

export function timeCells({ preferences: { times } }: Pick<Times, "preferences">): number {
  return times === "ago" ? 4 : 11;
}

/** The heading of a column of times; with clock times it is the city of the zone (`New_York`). */
export function timeHeader(
  { preferences: { times } }: Pick<Times, "preferences">,
  ago: string,
): string {
  return times === "ago" ? ago : (localZone().split("/").at(-1) ?? "");
}

/** A zone cut to a width; its end is the distinctive part. */
export function zoneIn(zone: string, room: number): string {
  return fitName(zone, Math.min(cells(zone), room));
}
