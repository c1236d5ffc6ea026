import type { Backend } from "../../../src/store/backend.ts";
import type { Connection } from "../../../src/store/connection.ts";
import type { Term } from "../../../src/store/types/elections.ts";
import { overlay } from "../../support/overlay.ts";
import type { Order } from "./order.ts";
import type { Plant } from "./plant.ts";
import type { Terms } from "./terms.ts";

/** What stands between a store and its database. */
export interface StoreSeam {
  /** The daemon that the store belongs to. */
  readonly name: string;
  readonly plant: Plant;
  readonly terms: Terms;
  readonly order: Order;
  /** Resolves when the daemon is dead. */
  readonly end: Promise<void>;
  /** The time of the server; undefined on SQLite. */
  readonly serverNow: (() => string) | undefined;
  /** Whether the daemon had died before. */
  readonly remembersDeath: boolean;
  /** Called when the daemon has heard that it has a term of the engine, before it does anything under it. */
  heard(engine: string): Promise<void>;
  /** Decides what becomes of a commit. `commit` is that of the store. */
  commit(connection: Connection, commit: (connection: Connection) => Promise<void>): Promise<void>;
}

/** The backend of a daemon in a world: its commits, its terms, and the time of its server. */
export function seamsOf(backend: Backend, between: StoreSeam): Backend {
  const { name, plant, terms, order, end, serverNow, remembersDeath } = between;
  let under: Term[] = [];
  return overlay<Backend>(backend, {
    serverNow: async () => serverNow?.(),
    begin: async (connection, kind) => {
      under = [];
      await backend.begin(connection, kind);
      if (remembersDeath) await plant.afterDeath?.(connection);
    },
    commit: async (connection, proof) => {
      const commit = plant.commit ?? (async (session) => await backend.commit(session, proof));
      for (const term of under) terms.commits(name, term);
      await between.commit(connection, commit);
    },
    elections: overlay<Backend["elections"]>(backend.elections, {
      elect: async (engine) => {
        const term = await backend.elections.elect(engine);
        if (term !== undefined) terms.elected(name, term);
        await Promise.race([order.ready(`${name} hears who has ${engine}`), end]);
        if (term !== undefined) await between.heard(engine);
        return term;
      },
      holds: async (connection, term) => {
        const isHeld = await (plant.holds?.() ?? backend.elections.holds(connection, term));
        if (isHeld) under.push(term);
        return isHeld;
      },
    }),
  });
}
