/** Whether a query narrows the rows: an older daemon would ignore that and answer with too many (facts cli-and-config 1.7). */
export function isFiltered(query: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(query).some(
    ([name, value]) => !UNFILTERED.has(name) && value !== undefined,
  );
}

const UNFILTERED: ReadonlySet<string> = new Set(["status", "limit", "order"]);
