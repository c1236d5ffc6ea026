import type { Times } from "../src/screen/times.ts";
import { cells, fitName } from "./text.ts";

export function timeCells({ preferences: { times } }: Pick<Times, "preferences">): number {
  return times === "ago" ? 4 : 11;
}

/** Returns the heading of a column of times. For clock times, it is the city of the time zone, such as `New_York`. */
export function timeHeader(
  { preferences: { times, zone } }: Pick<Times, "preferences">,
  ago: string,
): string {
  return times === "ago" ? ago : (zone.split("/").at(-1) ?? "");
}

/** Cuts the name of a time zone to a width. The end is kept, because it is the distinctive part. */
export function zoneIn(zone: string, room: number): string {
  return fitName(zone, Math.min(cells(zone), room));
}
