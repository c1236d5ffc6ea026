import type { Instant } from "../../base/clock.ts";

/** This daemon's right to run an engine, which only one daemon on the database has at a time. */
export interface Term {
  readonly name: string;
  readonly number: number;
  /** The daemon that has the term. A worker thread sets this; by default it is the daemon of the store that is used. */
  readonly holder?: string | undefined;
}

export interface Election {
  readonly name: string;
  /** Host name, process id and random mark of the daemon; empty when no daemon has the term. */
  readonly holder: string;
  /** Whether the holder is this daemon. */
  readonly here: boolean;
  readonly term: number;
  readonly since: Instant;
  readonly until: Instant;
  /** The daemon that lost the previous term without releasing it: it hung, was killed or lost the database. */
  readonly taken_from: string | null;
}
