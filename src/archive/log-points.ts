import { canonicalJson, type JsonObject } from "../base/json.ts";
import { SvcError } from "../contract/errors.ts";
import type { StoredEvent } from "../contract/events.ts";
import type { Rows } from "../domain/tables/tables.ts";
import type { RestoreRow, Snapshot } from "../store/admin-store.ts";
import { NO_CHAIN } from "../store/log/chain.ts";
import { ChainCheck } from "../store/log/chain-check.ts";
import { contentHash } from "../store/log/content-hash.ts";

/** A point of a log whose chain value is known: an event, or the last event of a run of consecutive purged events. */
export interface Point {
  readonly id: number;
  readonly chain: string;
  /** The point covers the ids after this one up to `id`: only `id` itself, or all ids of the purged run. */
  readonly after: number;
  /** Absent if the point is a run of purged events. */
  readonly event?: StoredEvent;
}

type Gap = Rows["log_gap"];

/**
 * The runs of purged events, by the id of the event before each run. Each purge adds at most one run, so there are few.
 */
class Gaps {
  readonly #gaps = new Map<number, Gap>();

  add(gap: Gap): void {
    this.#gaps.set(gap.before_id, gap);
  }

  *behind(id: number, chain: string): Generator<Point> {
    const gap = this.#gaps.get(id);
    if (gap?.before_chain === chain) yield { id: gap.last_id, chain: gap.last_chain, after: id };
  }
}

function pointOf(event: StoredEvent): Point {
  return { id: event.id, chain: event.chain, after: event.id - 1, event };
}

/** Yields the points of the log of a file whose chain `readExport` checks. */
export async function* pointsOfFile(
  path: string,
  rows: AsyncIterable<RestoreRow>,
): AsyncGenerator<Point> {
  const gaps = new Gaps();
  let isFirst = true;
  for await (const { table, row } of rows) {
    if (table === "log_gap") gaps.add(row);
    if (table !== "event") continue;
    if (row.chain === "") throw withoutChain(path);
    if (isFirst) yield* gaps.behind(0, NO_CHAIN);
    isFirst = false;
    yield pointOf(row);
    yield* gaps.behind(row.id, row.chain);
  }
  if (isFirst) yield* gaps.behind(0, NO_CHAIN);
}

function withoutChain(path: string): SvcError {
  return new SvcError(
    "validation",
    { path },
    {
      message: `${path} cannot be compared: its events have no chain`,
      hint: "take a backup or a whole export; one project, one without deleted issues, and files of storage schema 44 or older have none",
    },
  );
}

/** The log of a database. While its points are read, they are checked as `svc doctor` checks them. */
export class DatabaseLog {
  readonly #snapshot: Snapshot;
  readonly #seen: () => void;
  /** The first fault of the log. Known after all points were read. */
  fault: string | undefined;

  constructor(snapshot: Snapshot, seen: () => void) {
    this.#snapshot = snapshot;
    this.#seen = seen;
  }

  async *points(): AsyncGenerator<Point> {
    const [gaps, check] = [new Gaps(), new ChainCheck()];
    for await (const gap of this.#snapshot.rows("log_gap")) {
      gaps.add(gap);
      check.add(gap);
    }
    yield* gaps.behind(0, NO_CHAIN);
    for await (const event of this.#snapshot.rows("event")) {
      this.fault ??= check.next(event) ?? hashFault(event);
      this.#seen();
      yield pointOf(event);
      yield* gaps.behind(event.id, event.chain);
    }
    this.fault ??= check.end(this.#snapshot.head.chain);
  }
}

function hashFault(event: StoredEvent): string | undefined {
  return hashOf(event) === event.content_hash
    ? undefined
    : `event ${event.id} (${event.uid}) does not match its content hash`;
}

/** The hash of the event's content, computed again. The stored hash may differ. */
export function hashOf(event: StoredEvent): string {
  return contentHash(event, canonicalJson(event.payload as JsonObject));
}
