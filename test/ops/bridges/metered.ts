import { yieldToLoop } from "../../../src/base/yield-to-loop.ts";
import type { RunDeps } from "../../../src/ops/bridges/run.ts";
import type { ExternalCommentRow } from "../../../src/store/types/bridges.ts";
import type { Reader, Tx } from "../../../src/store/types/store.ts";

/** Counts how many comments are read or written between two turns of the event loop. */
export class Meter {
  /** The largest number so far. */
  most = 0;
  #sinceTurn = 0;

  add(count: number): void {
    this.#sinceTurn += count;
    this.most = Math.max(this.most, this.#sinceTurn);
  }

  /** Carries out the work, and counts meanwhile. */
  async during<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const ended = work.finally(() => {
      isOver = true;
    });
    ended.catch(() => undefined);
    while (!isOver) {
      await yieldToLoop();
      this.#sinceTurn = 0;
    }
    return await ended;
  }
}

/** The store, whose reads and writes tell the meter of each comment. `beforeWrite` may throw instead of a write. */
export function meteredStore(
  store: RunDeps["store"],
  meter: Meter,
  beforeWrite: () => void = () => undefined,
): RunDeps["store"] {
  return {
    read: async (work) =>
      await store.read(async (reader) => await work(replaced(reader, readsOf(reader, meter)))),
    write: async (work) => {
      beforeWrite();
      return await store.write(async (tx) => {
        const parts = { ...readsOf(tx, meter), unfolded: writesOf(tx, meter) };
        return await work(replaced(tx, parts));
      });
    },
  };
}

function readsOf(
  { bridges, comments }: Pick<Reader, "bridges" | "comments">,
  meter: Meter,
): Pick<Reader, "bridges" | "comments"> {
  const counted = <T extends { readonly length: number }>(rows: T): T => {
    meter.add(rows.length);
    return rows;
  };
  return {
    bridges: {
      ...bridges,
      externalComments: async (uid, ids) => await bridges.externalComments(uid, counted(ids)),
      knownComments: async (uid, ids) => await bridges.knownComments(uid, counted(ids)),
      commentsAfter: async (bridge, after, limit) =>
        counted(await bridges.commentsAfter(bridge, after, limit)),
    },
    comments: {
      ...comments,
      find: async (issueUid, uid) => {
        meter.add(1);
        return await comments.find(issueUid, uid);
      },
      of: async (issueUid) => counted(await comments.of(issueUid)),
    },
  };
}

/** Each comment of the provider has one row, which is written with its event. */
function writesOf({ unfolded }: Pick<Tx, "unfolded">, meter: Meter): Tx["unfolded"] {
  const count = (table: string, rows: readonly unknown[]): void => {
    if (table !== "external_comment") return;
    const written = rows as readonly ExternalCommentRow[];
    meter.add(written.filter(({ side }) => side === "external").length);
  };
  return {
    ...unfolded,
    put: async (table, row) => {
      count(table, [row]);
      await unfolded.put(table, row);
    },
    putAll: async (table, rows) => {
      count(table, rows);
      await unfolded.putAll(table, rows);
    },
  };
}

/** The object with some of its members replaced. Its methods keep their own `this`. */
function replaced<T extends object>(target: T, parts: Partial<T>): T {
  return new Proxy(target, {
    get: (of, name) => {
      if (Object.hasOwn(parts, name)) return Reflect.get(parts, name) as unknown;
      const value: unknown = Reflect.get(of, name);
      return typeof value === "function" ? (value.bind(of) as unknown) : value;
    },
  });
}
