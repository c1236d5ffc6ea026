/**
 * True if a query filters rows. Such a query must not be sent to a daemon that does not know the filter: it would
 * ignore the filter and return too many rows (docs/contract/command-line.md#17-requests).
 */
export function isFiltered(query: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(query).some(
    ([name, value]) => !UNFILTERED.has(name) && value !== undefined,
  );
}

const UNFILTERED: ReadonlySet<string> = new Set(["status", "limit", "order"]);
