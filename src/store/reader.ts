import type { Connection } from "./connection.ts";
import { folds } from "./refold/events.ts";
import { comments } from "./repos/comments.ts";
import { cron } from "./repos/cron.ts";
import { events } from "./repos/events.ts";
import { holders } from "./repos/holders.ts";
import { imports } from "./repos/imports.ts";
import { inbox } from "./repos/inbox.ts";
import { issues } from "./repos/issues.ts";
import { labels } from "./repos/labels.ts";
import { leases } from "./repos/leases.ts";
import { links } from "./repos/links.ts";
import { marks } from "./repos/marks.ts";
import { pastEvents } from "./repos/past-events.ts";
import { projects } from "./repos/projects.ts";
import { recurrences } from "./repos/recurrences.ts";
import { runs } from "./repos/runs.ts";
import { tokens } from "./repos/tokens.ts";
import { unfoldedRows } from "./rows/unfolded.ts";
import { search } from "./text/search.ts";
import type { Unwritten } from "./text/similar.ts";
import type { Reader } from "./types/store.ts";

/**
 * The functions that create the parts of a reader. With `unwritten`, a search inside a write also finds rows that are
 * not indexed yet.
 */
const MAKERS: {
  readonly [N in keyof Reader]: (connection: Connection, unwritten?: Unwritten) => Reader[N];
} = {
  unfolded: unfoldedRows,
  projects,
  issues,
  links,
  labels,
  comments,
  leases,
  holders,
  recurrences,
  cron,
  runs,
  inbox,
  events,
  past: pastEvents,
  folds,
  search,
  marks,
  imports,
  tokens,
};

/** Creates each reader when it is first used, since most reads and writes use few of them. */
export const Repositories = class {
  readonly #connection: Connection;
  readonly #unwritten: Unwritten | undefined;
  readonly #made = new Map<string, unknown>();

  constructor(connection: Connection, unwritten?: Unwritten) {
    this.#connection = connection;
    this.#unwritten = unwritten;
  }

  static {
    for (const [name, make] of Object.entries(MAKERS))
      Object.defineProperty(this.prototype, name, {
        get() {
          const known = this.#made.get(name);
          if (known !== undefined) return known;
          const made = make(this.#connection, this.#unwritten);
          this.#made.set(name, made);
          return made;
        },
      });
  }
} as unknown as new (
  connection: Connection,
  unwritten?: Unwritten,
) => Reader;
