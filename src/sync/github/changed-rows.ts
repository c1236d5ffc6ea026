import { type Instant, instantToMs, msToInstant } from "../../base/clock.ts";
import type { JsonObject } from "../../base/json.ts";
import { ProviderFault } from "../provider.ts";
import type { GithubClient, Page } from "./client.ts";
import { idText, timeOf } from "./rows.ts";

export interface ChangedList {
  /** The path of the list below the repository, with its other parameters: `issues?state=all`. */
  readonly path: string;
  /** Only what changed at this time or later; `undefined` for everything. */
  readonly since: Instant | undefined;
  /** Rows that changed after this time may be left out: the next run reads them. */
  readonly until: Instant | undefined;
}

export interface ChangedRows {
  /** The rows that are new or have changed since they came before. */
  readonly rows: readonly JsonObject[];
  readonly page: Page;
}

/**
 * Reads a list whose rows may change while it is read, the least recently changed first. A row that changes moves to
 * the end, and all rows behind it move up, so numbered pages could skip a row. Therefore each page is requested by
 * time: what changed since the last row, less a second. If a whole page changed within a second, the rest is read in
 * the order of creation, along the host's links. No change moves a row in that order; only the deletion of a row can
 * hide another one.
 */
export async function* changedRows(
  client: GithubClient,
  { path, since, until }: ChangedList,
): AsyncGenerator<ChangedRows> {
  const waits = client.waits();
  const seen = new Map<string, Instant>();
  const requested = new Set<string>();
  let from = since;
  let order: "updated" | "created" = "updated";
  let address = addressOf(path, order, from);
  for (;;) {
    if (requested.has(address)) throw circle();
    requested.add(address);
    const page = await client.page(address, waits);
    const rows = page.rows.filter((row) => isFresh(row, seen));
    if (rows.length > 0) yield { rows, page };
    if (page.next === undefined) return;
    if (order === "created") {
      address = page.next;
      continue;
    }
    if (until !== undefined && page.rows.every((row) => changeOf(row) > until)) return;
    const before = aSecondBefore(changeOf(page.rows.at(-1)));
    if (before !== undefined && (from === undefined || before > from)) {
      from = before;
      forgetBefore(seen, from);
    } else order = "created";
    address = addressOf(path, order, from);
  }
}

/** The host writes times without milliseconds, and expects them in that form. */
function wholeSeconds(instant: Instant): string {
  return instant.slice(0, 19);
}

function addressOf(path: string, order: string, since: Instant | undefined): string {
  const text = since === undefined ? "" : `&since=${wholeSeconds(since)}Z`;
  const more = path.includes("?") ? "&" : "?";
  return `${path}${more}sort=${order}&direction=asc&per_page=100${text}`;
}

function isFresh(row: JsonObject, seen: Map<string, Instant>): boolean {
  const [key, changed] = [idText(row["id"]) ?? idText(row["number"]), changeOf(row)];
  if (key === undefined || changed === "") return true;
  if (seen.get(key) === changed) return false;
  seen.set(key, changed);
  return true;
}

/** Forgets the rows that cannot come again, since later requests are only for rows that changed at `from` or later. */
function forgetBefore(seen: Map<string, Instant>, from: Instant): void {
  for (const [key, changed] of seen) if (changed < wholeSeconds(from)) seen.delete(key);
}

function changeOf(row: JsonObject | undefined): Instant {
  return timeOf(row?.["updated_at"]) ?? "";
}

function aSecondBefore(instant: Instant): Instant | undefined {
  return instant === "" ? undefined : msToInstant(instantToMs(instant) - 1000);
}

function circle(): ProviderFault {
  return new ProviderFault(
    "provider_decode",
    "the host named a page as its own next page",
    "tell the administrators of the host: its links between pages lead in a circle",
  );
}
