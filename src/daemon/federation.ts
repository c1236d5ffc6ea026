import type { Clock } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import type { JsonObject } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import type { Credential } from "../config/credential-entry.ts";
import { ERRORS } from "../contract/error-codes.ts";
import { SvcError } from "../contract/errors.ts";
import { type BulkWorker, bulkFor } from "../engines/bulk-write.ts";
import { loggedElect } from "../engines/elections.ts";
import type { Engine } from "../engines/engines.ts";
import {
  beginSendingOnRejoin,
  clearForReset,
  federationEngine,
  writeHubPage,
} from "../engines/federation.ts";
import { Wake } from "../engines/wake.ts";
import { type Hub, HubFault } from "../federation/hub.ts";
import { requireHubMetadata } from "../federation/metadata.ts";
import { type PassOutcome, runPass } from "../federation/pass.ts";
import type { OpSettings } from "../ops/deps.ts";
import type { Replica } from "../ops/federation/bound-replica.ts";

import type { Federation } from "../ops/federation/far-side.ts";

import type { HubQuestions } from "../ops/federation/hub-questions.ts";
import { noteFailedPull } from "../ops/federation/replica.ts";
import type { HubLeases } from "../ops/leases/hub-leases.ts";
import { underTerm } from "../ops/term.ts";
import type { Store } from "../store/types/store.ts";
import { hubLeasesOf } from "./hub-leases.ts";
import { type AskHub, answerAt, hubQuestionsOf, REBIND_MS } from "./hub-questions.ts";
import { LogWatch } from "./log-watch.ts";
import { DEBOUNCE_MS, PassPause } from "./pass-pause.ts";
import { TransportGate } from "./transport-gate.ts";

export interface FederationSettings {
  /** The interval at which new events are requested from the hubs, in ms. */
  readonly intervalMs: number;
  /** The credential for the hub of the project; `undefined` if there is none. Throws if its file is unreadable. */
  credential(project_uid: string): Promise<Credential | undefined>;
  /**
   * Returns a client for the hub. Throws `validation` if no request may be sent to the address of the hub. `maxMs`
   * shortens the time limit.
   */
  hub(replica: Replica, credential: Credential, clock: Clock, maxMs?: number): Promise<Hub>;
}

interface Needs {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly settings: OpSettings;
  readonly worker: BulkWorker | undefined;
  /** Deletes the tokens of projects that have left their hubs. */
  forgetTokens(): Promise<void>;
  /** Sends the events of the project. By default this only wakes the engine, which sends them. */
  send?(project_uid: string): Promise<void>;
}

/** What a daemon does for its copies of projects of other daemons. */
export interface DaemonFederation {
  readonly engine: Engine;
  /** Makes the engine read the hub of the project soon, for example after a join. */
  wake(project_uid: string): void;
  /**
   * Gives up the election for the project, so that another daemon on the database can read the project from its hub.
   */
  release(project_uid: string): Promise<void>;
  /** Asks the hub of a copy whether this daemon may read the project (`ops/federation/far-side.ts`). */
  confirm(replica: Replica): Promise<void>;
  /** Asks the hub at the given address which project it has (`ops/federation/far-side.ts`). */
  readonly askAt: Federation["askAt"];
  readonly drained: Federation["drained"];
  readonly leases: HubLeases;
  readonly digests: HubQuestions;
  /** Runs one pass: sends the hub what was written to the copy, then reads what is new on the hub. */
  pull(project_uid: string, signal: AbortSignal): Promise<PassOutcome>;
}

/** Returns what the daemon does for its copies. Without settings, as in most tests, no request is sent to a hub. */
export function federationOf(
  { intervalMs, credential, hub }: FederationSettings = NO_HUBS,
  { store, clock, ids, log, settings, worker, forgetTokens, send }: Needs,
): DaemonFederation {
  const wake = new Wake();
  const joined = new Set<string>();
  const written = new Set<string>();
  const pause = new PassPause(clock);
  // Copies that were written to, so that their hubs get the changes soon.
  const watch = new LogWatch({
    ...{ store, clock, waitMs: () => pause.ms },
    read: async (reader, after) => {
      const { projects, ...part } = await reader.federation.projectsWithUnsent(after);
      return { ...part, uids: projects };
    },
    found: (projects) => {
      for (const uid of projects) written.add(uid);
      wake.wake();
    },
  });
  const elect = loggedElect(store, log);
  const failing = new Set<string>();
  const gate = new TransportGate(clock);
  const pull = async (project_uid: string, signal: AbortSignal): Promise<PassOutcome> =>
    await gate.through(
      project_uid,
      async (cut) =>
        await pause.after(
          async () => await passOrRelease(project_uid, AbortSignal.any([signal, cut])),
        ),
    );
  /** Runs a pass. If it fails, gives up the election: another daemon on this database may not have the fault. */
  const passOrRelease = async (project_uid: string, signal: AbortSignal): Promise<PassOutcome> => {
    let failed = true;
    try {
      const passed = await passOf(project_uid, signal);
      failed = passed.outcome === "failed";
      return passed;
    } finally {
      if (failed) {
        failing.add(project_uid);
        await release(project_uid);
      } else failing.delete(project_uid);
    }
  };
  const passOf = async (project_uid: string, signal: AbortSignal): Promise<PassOutcome> => {
    const engine = termName(project_uid);
    const found = await credentialOf(credential, project_uid);
    if (typeof found === "string") {
      await noteUnlessRead(project_uid, found);
      return { outcome: "failed", code: found };
    }
    // A failed pass gives up its term, so the next one begins a new term. The log need not name these terms.
    const term = await (failing.has(project_uid) ? store.elect(engine) : elect(engine));
    if (term === undefined) return { outcome: "gone" };
    const { holder } = store.elections().find(({ name }) => name === engine) ?? {};
    const own = underTerm(store, term);
    const bulk = bulkFor({ worker, clock, ids, settings }, own, { ...term, holder });
    const deps = {
      store: own,
      clock,
      write: async (page: object) => await bulk(writeHubPage, page as JsonObject),
      reset: async (reset: object) => await bulk(clearForReset, reset as JsonObject),
      permitsLeases: found.capabilities.includes("claim"),
      beginSending: async (read: object) => await bulk(beginSendingOnRejoin, read as JsonObject),
      hubOf: async (replica: Replica) => {
        if (!isFor(found, replica, store.instanceUid)) throw new HubFault(OTHER_CREDENTIAL);
        return await hubFor(hub, replica, found, clock);
      },
    };
    return await runPass(deps, project_uid, signal);
  };
  /** Stores the fault unless another daemon on this database reads the project. */
  const noteUnlessRead = async (project_uid: string, code: string): Promise<void> => {
    const term = await store.elect(termName(project_uid));
    if (term !== undefined) await noteFailedPull(underTerm(store, term), project_uid, code);
  };
  const release = async (project_uid: string): Promise<void> =>
    await store.resign(termName(project_uid));
  const ask: AskHub = async (replica, question) =>
    await gate.through(replica.project_uid, async () => {
      try {
        const found = await credentialOf(credential, replica.project_uid);
        if (typeof found === "string") throw new HubFault(found);
        if (!isFor(found, replica, store.instanceUid)) throw new HubFault(OTHER_CREDENTIAL);
        const asked = await hubFor(hub, replica, found, clock);
        return await question(asked, new AbortController().signal).finally(() => asked.close());
      } catch (error) {
        throw error instanceof HubFault ? refusalOf(error) : error;
      }
    });
  const confirm = async (replica: Replica): Promise<void> => {
    await ask(replica, async (asked, signal) => await requireHubMetadata(asked, replica, signal));
  };
  let isWaking = false;
  const wakeFor = (project_uid: string): void => {
    joined.add(project_uid);
    if (isWaking) return;
    isWaking = true;
    void clock.sleep(DEBOUNCE_MS).then(() => {
      isWaking = false;
      wake.wake();
    });
  };
  const hubLeases = hubLeasesOf({
    store,
    credentialOf: async (uid) => await credentialOf(credential, uid),
    hubOf: async (replica, shown) => {
      if (!isFor(shown, replica, store.instanceUid)) throw new HubFault(OTHER_CREDENTIAL);
      return await hubFor(hub, replica, shown, clock);
    },
    send: send ?? (async (uid) => await Promise.resolve(wakeFor(uid))),
  });
  return {
    engine: federationEngine({
      ...{ clock, log, wake, intervalMs, joined, written, pull, release, forgetTokens },
      watchWrites: async (isOn) => await watch.set(isOn),
    }),
    confirm,
    askAt: async (place, replica, credential) => {
      const at = { ...replica, ...place };
      return await answerAt(
        async () => await hubFor(hub, at, { ...credential, ...place }, clock, REBIND_MS),
      );
    },
    drained: async (uid, work) => await gate.closed(uid, work),
    pull,
    release,
    wake: wakeFor,
    leases: {
      ...hubLeases,
      ask: async (replica, request, maxMs) =>
        await gate.through(
          replica.project_uid,
          async () => await hubLeases.ask(replica, request, maxMs),
        ),
    },
    digests: hubQuestionsOf(ask),
  };
}

/**
 * Returns the name of the election. Of the daemons that share a database, only the elected one reads the project from
 * its hub.
 */
function termName(project_uid: string): string {
  return `federation/${project_uid}`;
}

const OTHER_CREDENTIAL = "federation_credential_conflict";

/** Whether the credential is for this database and this hub. Daemons on other databases can share the file. */
function isFor(credential: Credential, replica: Replica, instanceUid: string): boolean {
  return (
    credential.hub_url === replica.hub_url &&
    credential.hub_project_id === replica.hub_project_id &&
    credential.spoke_instance_uid === instanceUid
  );
}

async function credentialOf(
  credential: FederationSettings["credential"],
  project_uid: string,
): Promise<Credential | "credential_missing" | "credential_unreadable"> {
  try {
    return (await credential(project_uid)) ?? "credential_missing";
  } catch (error) {
    if (error instanceof SvcError) return "credential_unreadable";
    throw error;
  }
}

/** The error for a caller whose request needs the hub. It shows only the code of the fault. */
function refusalOf(fault: HubFault): SvcError {
  const { code: reason } = fault;
  const data = { reason };
  if (reason === "hub_unavailable" || isPassing(reason))
    return new SvcError("federation_offline", data, {
      message: `the hub gave no answer (${reason}), so nothing was changed`,
      hint: "try again when it can be reached",
      cause: fault,
    });
  const message = `the hub does not let this daemon read the project (${reason})`;
  return new SvcError("federation_hub_refused", data, { message, cause: fault });
}

/** Whether the fault may pass, so that the hub may answer later. */
function isPassing(code: string): boolean {
  return Object.hasOwn(ERRORS, code) && ERRORS[code as keyof typeof ERRORS].status >= 500;
}

async function hubFor(
  hub: FederationSettings["hub"],
  replica: Replica,
  credential: Credential,
  clock: Clock,
  maxMs?: number,
): Promise<Hub> {
  try {
    return await hub(replica, credential, clock, maxMs);
  } catch (error) {
    if (error instanceof SvcError) throw new HubFault("hub_address", { cause: error });
    throw error;
  }
}

const NO_HUBS: FederationSettings = {
  intervalMs: 30_000,
  credential: async () => await Promise.resolve(undefined),
  hub: async () => await Promise.reject(new SvcError("unavailable")),
};
