import type { Clock } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import type { JsonObject } from "../base/json.ts";
import type { HostPort } from "../config/addresses.ts";
import { addressOf } from "../config/catalog.ts";
import { Credentials, credentialsPath } from "../config/credentials.ts";
import type { Config } from "../config/load.ts";
import { requireKept } from "../config/lost-settings.ts";
import { invalid, SvcError } from "../contract/errors.ts";
import { type BulkWorker, bulkFor } from "../engines/bulk-write.ts";
import { adoptForHub, archiveReplica } from "../engines/federation.ts";
import type { OpSettings } from "../ops/deps.ts";
import type { Replica } from "../ops/federation/bound-replica.ts";
import type { Federation, HubPlace } from "../ops/federation/far-side.ts";
import { HubCalls } from "../ops/federation/hub-calls.ts";
import type { HubQuestions } from "../ops/federation/hub-questions.ts";
import { withGuard } from "../ops/guarded.ts";
import type { HubLeases } from "../ops/leases/hub-leases.ts";
import { baseOf } from "../outgoing/place.ts";
import type { Store } from "../store/types/store.ts";
import { leadsHere } from "./own-address.ts";
import { isLoopbackHost } from "./requests/loopback-host.ts";

/**
 * What a join or leave of a project needs: the credentials of this machine, and its rules for the addresses of hubs.
 */
export type ReplicaSettings = Pick<Federation, "credentials" | "placeOf" | "catalogPlace">;

export function replicaSettingsFrom(
  { settings, home, catalog, lost }: Pick<Config, "settings" | "home" | "catalog" | "lost">,
  listeners: readonly HostPort[],
): ReplicaSettings {
  const { trustPrivateNetwork: trustsPrivateNetwork, webPublicOrigin } = settings;
  const origins = webPublicOrigin === undefined ? [] : [webPublicOrigin];
  const placeOf = (url: string, allowsInsecure: boolean, from = "hub_url"): HubPlace => {
    const place = { url, from, trustsPrivateNetwork, allowsInsecure };
    const base = baseOf({ ...place, pinned: true });
    if (leadsHere(base, listeners, origins))
      throw invalid(`${from} is the address of this daemon`, "give the address of the hub");
    const isSafe = base.protocol === "https:" || isLoopbackHost(base.hostname);
    return {
      hub_url: base.href.replace(/\/$/, ""),
      allow_insecure: allowsInsecure && !isSafe,
    };
  };
  return {
    credentials: new Credentials(credentialsPath(home)),
    placeOf: (url, allowsInsecure) => placeOf(url, allowsInsecure),
    catalogPlace: (name) => {
      requireKept(lost, "[[daemon]]");
      const entry = catalog.find((one) => one.name === name);
      const address = entry === undefined ? undefined : addressOf(entry);
      if (address?.startsWith("https:") !== true) throw noHub(name, entry !== undefined);
      return placeOf(address, false, "hub_catalog");
    },
  };
}

/** The error for a name that is no `[[daemon]]` entry, or whose entry has no https url. */
function noHub(name: string, isEntry: boolean): SvcError {
  const found = JSON.stringify(name);
  const message = isEntry
    ? `hub_catalog: the [[daemon]] entry ${found} has no https url`
    : `hub_catalog names no daemon: ${found}`;
  const hint =
    "write the https url of the hub into its [[daemon]] entry in config.toml; the daemon reads it when it starts: svc daemon restart";
  return invalid(message, hint);
}

interface Needs {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settings: OpSettings;
  readonly worker: BulkWorker | undefined;
  /** Starts a pass of the engine soon. The pass reads this project even if the hub has asked this daemon to wait. */
  wake(project_uid: string): void;
  /** Asks the hub of a copy whether this daemon may read the project. */
  confirm(replica: Replica): Promise<void>;
  readonly leases: HubLeases;
  readonly digests: HubQuestions;
  readonly askAt: Federation["askAt"];
  readonly drained: Federation["drained"];
}

/** Returns what the operations on copies use. Without settings, as in most tests, no project can be joined. */
export function replicasOf(
  { credentials, placeOf, catalogPlace }: ReplicaSettings = UNAVAILABLE_HUBS,
  { store, wake, confirm, leases, askAt, drained, digests, ...deps }: Needs,
): Federation {
  const bulk = bulkFor(deps, withGuard(store, {}), undefined);
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...{ credentials, placeOf, catalogPlace, wake, confirm, leases, askAt, drained, digests },
    hubCalls: new HubCalls(),
    archive: async (asked) => {
      await bulk(archiveReplica, { ...asked });
    },
    adopt: async (asked) => await bulk(adoptForHub, { ...asked } as unknown as JsonObject),
    inTurn: async (work) => {
      const before = last;
      const turn = (async () => {
        await before;
        return await work();
      })();
      last = turn.catch(() => undefined);
      return await turn;
    },
  };
}

const unavailable = async (): Promise<never> => await Promise.reject(new SvcError("unavailable"));

const UNAVAILABLE_HUBS: ReplicaSettings = {
  credentials: {
    path: "credentials.toml",
    all: async () => await Promise.resolve(new Map()),
    status: async () => await Promise.resolve("missing"),
    findManaged: async () => await Promise.resolve(undefined),
    store: unavailable,
    reserve: unavailable,
    replace: unavailable,
    rekey: unavailable,
    delete: async () => await Promise.resolve(),
    deleteSame: async () => await Promise.resolve(true),
  },
  placeOf: () => {
    throw new SvcError("unavailable");
  },
  catalogPlace: (name) => {
    throw invalid(`hub_catalog names no daemon: ${JSON.stringify(name)}`);
  },
};
