import { type ConnectorEntry, readEntry } from "./connectors.ts";
import { fileError, isTable } from "./toml.ts";

/**
 * Reads the `[[connector]]` entries, in the order of the file. Throws `validation` with the place of the entry that
 * cannot be used.
 */
export function readConnectors(value: unknown, path: string): readonly ConnectorEntry[] {
  if (!Array.isArray(value) || !value.every(isTable))
    throw fileError(path, "must write a connector as [[connector]]");
  const entries = value.map((table, place) =>
    readEntry(table, (what) => fileError(path, `in ${named(place, table["id"])} ${what}`)),
  );
  for (const [place, { id }] of entries.entries()) {
    const first = entries.findIndex((entry) => entry.id === id);
    if (first !== place)
      throw fileError(path, `has the duplicate id "${id}" in ${named(first)} and ${named(place)}`);
  }
  return entries;
}

/** The id can be missing or wrong, so messages count the entries. */
function named(place: number, id?: unknown): string {
  const number = `[[connector]] number ${place + 1}`;
  return typeof id === "string" && id.trim() !== "" ? `${number} (${JSON.stringify(id)})` : number;
}
