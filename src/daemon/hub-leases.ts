import { type RealTime, realTime } from "../base/clock.ts";
import type { Credential } from "../config/credential-entry.ts";
import { SvcError } from "../contract/errors.ts";
import { type Hub, HubFault } from "../federation/hub.ts";
import type { Replica } from "../ops/federation/bound-replica.ts";
import type { HubLeases } from "../ops/leases/hub-leases.ts";
import type { Store } from "../store/types/store.ts";

interface Needs {
  readonly store: Pick<Store, "read">;
  /** The credential that this daemon sends to the hub of the project, or why there is none. */
  credentialOf(project_uid: string): Promise<Credential | string>;
  /** Returns a client for the hub of a copy. Throws `HubFault` if no request may be sent to the hub. */
  hubOf(replica: Replica, credential: Credential): Promise<Hub>;
  /** Starts a pass of the project, which sends its events. May resolve before the pass has ended. */
  send(project_uid: string): Promise<void>;
  readonly time?: RealTime;
}

/**
 * The longest wait for the hub's answer about a lease, and for the hub to accept an event
 * (docs/contract/federation.md#12-limits).
 */
const LEASE_REQUEST_MS = 10_000;
const LOOK_AGAIN_MS = 50;

/** Asks hubs about leases, for the operations of this daemon. */
export function hubLeasesOf({
  store,
  credentialOf,
  hubOf,
  send,
  time = realTime,
}: Needs): HubLeases {
  const isSent = async (project_uid: string, event_id: number): Promise<boolean> => {
    const key = { project_uid };
    const binding = await store.read(
      async ({ unfolded }) => await unfolded.find("federation_binding", key),
    );
    return binding !== undefined && binding.push_cursor_event_id >= event_id;
  };
  return {
    permits: async (project_uid) => {
      const found = await credentialOf(project_uid);
      // Without a credential this is not known. Say yes: the request to the hub then fails and says why.
      return typeof found === "string" || found.capabilities.includes("claim");
    },
    ask: async (replica, request, maxMs = LEASE_REQUEST_MS) => {
      const late = new AbortController();
      const done = new AbortController();
      void time.sleep(maxMs, done.signal).then(() => late.abort());
      try {
        const found = await credentialOf(replica.project_uid);
        if (typeof found === "string") throw new HubFault(found);
        const hub = await hubOf(replica, found);
        const waited = time.stopwatch();
        try {
          const answer = await hub.lease(request, late.signal);
          return answer.outcome === "refused" ? answer : { ...answer, waited_ms: waited() };
        } finally {
          hub.close();
        }
      } catch (error) {
        if (error instanceof HubFault) throw offline(error);
        throw error;
      } finally {
        done.abort();
      }
    },
    sent: async (project_uid, event_id) => {
      const waited = time.stopwatch();
      do {
        if (await isSent(project_uid, event_id)) return true;
        await send(project_uid);
        if (await isSent(project_uid, event_id)) return true;
        await time.sleep(LOOK_AGAIN_MS);
      } while (waited() < LEASE_REQUEST_MS);
      return false;
    },
  };
}

function offline(fault: HubFault): SvcError {
  const { code: reason } = fault;
  return new SvcError(
    "federation_offline",
    { reason },
    {
      message: `the hub of the project gave no answer about the lease (${reason})`,
      hint: "try again when it can be reached: svc federation status shows it",
      cause: fault,
    },
  );
}
