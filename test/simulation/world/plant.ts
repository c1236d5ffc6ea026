import type { Connection } from "../../../src/store/connection.ts";
import type { Sent } from "../send.ts";

/** A fault that is planted in a world, and that svc does not have. Each member replaces one thing that svc does. */
export interface Plant {
  /** Replaces the commit of the store. */
  readonly commit?: (connection: Connection) => Promise<void>;
  /** Changes a request before the daemon gets it. */
  readonly request?: (sent: Sent) => Sent;
  /** Replaces the check whether an engine's term still lasts. */
  readonly holds?: () => Promise<boolean>;
  /** Runs at the beginning of each transaction of a daemon that has died before. */
  readonly afterDeath?: (connection: Connection) => Promise<void>;
}

function without(header: string): NonNullable<Plant["request"]> {
  return (sent) => {
    const headers = Object.entries(sent.headers ?? {}).filter(([name]) => name !== header);
    return { ...sent, headers: Object.fromEntries(headers) };
  };
}

/** The faults that a simulator has to find. */
export const PLANTS = {
  "a failure said for a commit that was made": {
    commit: async (connection) => void (await connection.execute("commit", [])),
  },
  "a cursor without identity": { request: without("x-svc-log") },
  "a fence that is not looked at": { request: without("x-svc-fence") },
  "an idempotency key that is forgotten on a crash": {
    afterDeath: async (connection) =>
      void (await connection.execute("delete from idempotency", [])),
  },
  "an engine that goes on after its term": { holds: async () => true },
} as const satisfies Record<string, Plant>;

export type PlantName = keyof typeof PLANTS;
