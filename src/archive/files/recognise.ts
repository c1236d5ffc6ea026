import type { JsonObject } from "../../base/json.ts";
import { broken, type Place } from "./refuse.ts";

/** Fields of one record by which a format is known. */
const MARKS: Readonly<Record<string, readonly string[]>> = {
  taskwarrior: ["uuid", "description", "entry"],
  github: ["number", "title", "state"],
  beads: ["id", "title", "issue_type"],
  svc: ["kind", "data"],
};

/** Refuses a record that has the fields of another format, and names that one. */
export function refuseOther(wanted: string, place: Place, fields: JsonObject): void {
  const found = Object.entries(MARKS).find(
    ([format, names]) => format !== wanted && names.every((name) => fields[name] !== undefined),
  );
  if (found === undefined) return;
  const [format] = found;
  throw broken(
    place,
    `this looks like ${format}, not like ${wanted}`,
    format === "svc" ? "leave --source-format and --merge out" : `use --source-format ${format}`,
  );
}
