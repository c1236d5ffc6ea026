import type { H3Event } from "h3";
import { BUILD } from "../../base/build.ts";
import { formatDuration } from "../../base/durations.ts";
import { lastPart } from "../../base/last-part.ts";
import { SvcError } from "../../contract/errors.ts";
import * as contract from "../../contract/health.ts";
import type { Output } from "../../contract/route.ts";
import { API_SCHEMA_VERSION } from "../../contract/version.ts";
import type { Principal, UngatedDeps } from "../../ops/deps.ts";
import type { Answering, Store } from "../../store/types/store.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";
import type { ConnectorHost } from "../connectors.ts";
import { idleJobs } from "../idle/jobs.ts";
import type { DaemonInfo } from "../info.ts";
import type { LazyMeaning } from "../meaning/lazy-meaning.ts";

interface HealthDeps {
  readonly store: Pick<Store, "schemaVersion" | "instanceUid" | "read" | "answering" | "elections">;
  readonly info: DaemonInfo;
  readonly connectors?: Pick<ConnectorHost, "configured"> | undefined;
  readonly meaning?: LazyMeaning | undefined;
}

export function healthRoutes(app: App, deps: UngatedDeps & HealthDeps): void {
  bind(app, deps, contract.health, async (_, __, ___, event) => {
    return await health(deps, await seesPaths(app, event));
  });
  bind(app, deps, contract.ping, async () => await ping(deps));
  bind(app, deps, contract.instance, async (_, who, __, event) => {
    return await instance(deps, who, await writeRefusal(app, event));
  });
}

/**
 * True if the caller may see full paths. If the kernel cannot say who the caller is, the result is false, so that
 * health is still answered.
 */
async function seesPaths({ host }: App, event: H3Event): Promise<boolean> {
  try {
    return (await host.seesPaths?.(event)) ?? true;
  } catch (error) {
    if (error instanceof SvcError) return false;
    throw error;
  }
}

/**
 * Returns the health. Only the owner on this machine sees the full paths of the database and of its backups; others see
 * only the last part of a path.
 */
async function health(
  { store, info, connectors, meaning }: HealthDeps,
  local: boolean,
): Promise<Output<typeof contract.health>> {
  const answering = await store.answering();
  const ok = answering === "all";
  if (ok) await (await meaning?.get())?.look();
  const idle = info.idle?.health();
  const engines = store.elections().map(({ taken_from, ...election }) => ({
    ...election,
    ...(taken_from === null ? {} : { taken_from }),
  }));
  const { federation, ...blocks } = info.engines?.()?.health(local) ?? {};
  return {
    ok,
    ...(ok ? {} : { fault: FAULT_TEXTS[answering] }),
    schema_version: store.schemaVersion,
    api_schema_version: API_SCHEMA_VERSION,
    version: info.version,
    uptime: formatDuration(info.uptimeMs()),
    db_path: local ? info.dbPath : lastPart(info.dbPath),
    started_at: info.startedAt,
    ...(idle === undefined
      ? {}
      : {
          idle_shutdown: {
            ...idle,
            timeout: formatDuration(idle.timeout),
            // These fields are left out while the database cannot be read.
            ...(ok ? await idleJobs(store, idle.timeout).catch(() => ({})) : {}),
          },
        }),
    ...blocks,
    federation: {
      ...(ok ? await bindingCounts(store).catch(() => ({})) : {}),
      ...(typeof federation === "object" ? federation : {}),
    },
    ...(connectors === undefined ? {} : { connectors: { configured: connectors.configured } }),
    ...(engines.length === 0 ? {} : { engines }),
  };
}

/** Counts the federation bindings, for the block `federation` of health. */
async function bindingCounts(store: HealthDeps["store"]) {
  return await store.read(async ({ federation }) => await federation.bindings());
}

const FAULT_TEXTS = {
  nothing: "the database cannot be reached",
  reads: "the database answers no writes",
} as const satisfies Record<Exclude<Answering, "all">, string>;

async function ping({ store, info }: HealthDeps): Promise<Output<typeof contract.ping>> {
  return {
    ok: true,
    service: "svc",
    version: info.version,
    pid: process.pid,
    commit: BUILD.commit,
    built_at: BUILD.built_at,
    schema_version: store.schemaVersion,
    api_schema_version: API_SCHEMA_VERSION,
  };
}

/**
 * Describes this daemon and the rights of the caller. `close_requires_evidence` is false for the owner on this machine,
 * who may close without evidence from the terminal screen (docs/contract/command-line.md#82-closing).
 */
async function instance(
  { store, info }: HealthDeps,
  who: Principal,
  refusal: SvcError | undefined,
): Promise<Output<typeof contract.instance>> {
  const log = await store.read(async ({ events }) => {
    const { last_event_id } = await events.head();
    return await events.place(last_event_id);
  });
  return {
    instance_uid: store.instanceUid,
    version: info.version,
    schema_version: store.schemaVersion,
    last_event_id: log.last_event_id,
    epoch: log.epoch,
    ...(log.chain === null ? {} : { chain: log.chain }),
    auth: {
      ...(who.actor === undefined ? {} : { actor: who.actor }),
      close_requires_evidence: !who.local,
      ...(refusal === undefined ? {} : { read_only: textOf(refusal) }),
    },
  };
}

/** Returns the error that would refuse a write by this caller, or `undefined` if the write would be allowed. */
async function writeRefusal({ host }: App, event: H3Event): Promise<SvcError | undefined> {
  try {
    await host.authenticate(event, "write", "local");
    return undefined;
  } catch (error) {
    if (error instanceof SvcError) return error;
    throw error;
  }
}

function textOf({ message, hint }: SvcError): string {
  return hint === undefined ? message : `${message}: ${hint}`;
}
