import { instantToMs } from "../../base/clock.ts";
import { SvcError } from "../../contract/errors.ts";
import { isDue, needsRenewal, RENEW_MS } from "../../domain/bridges/claim.ts";
import type { SystemReason } from "../../domain/bridges/pauses.ts";
import type { Act } from "../../domain/drafts/draft.ts";
import type { BridgeClaim, BridgeRow, StoredBridge } from "../../store/types/bridges.ts";
import type { Tx } from "../../store/types/store.ts";
import type { Deps, OpStore } from "../deps.ts";
import { type Bound, boundOf, integrationActor } from "./bound.ts";
import type { ExternalRoots } from "./external-roots.ts";
import type { ConnectorClient } from "./far-side.ts";

/** What a run needs. Its store checks no lease: what a root says does not wait for whoever works on the issue. */
export interface RunDeps extends Pick<Deps, "clock" | "ids" | "settings"> {
  readonly store: Pick<OpStore, "read" | "write">;
  /** Undefined if config.toml has no connectors. */
  readonly roots: ExternalRoots | undefined;
}

/** The signal of runs that a caller asks for: they go on when the caller has gone, and end when the daemon stops. */
export const TO_THE_END: AbortSignal = new AbortController().signal;

/** Thrown by a stage that ends the run with a pause of the bridge. */
export class PausedRun extends Error {
  readonly reason: SystemReason;

  constructor(reason: SystemReason) {
    super(reason);
    this.reason = reason;
  }
}

/** Takes the bridge for a run; `undefined` if it is paused, was ended, is not due, or another run has it. */
export async function claimBridge(
  { store, ids }: Pick<RunDeps, "store" | "ids">,
  uid: string,
  isAsked: boolean,
): Promise<BridgeClaim | undefined> {
  return await store.write(async (tx) => {
    const bridge = await tx.bridges.byUid(uid);
    if (bridge === undefined || !isDue(dueRow(bridge), instantToMs(tx.now), isAsked))
      return undefined;
    const { issue, project } = await boundOf(tx, bridge);
    if (issue.deleted_at !== null || project.deleted_at !== null) return undefined;
    const claim_token = ids.ulid();
    await putBridge(tx, bridge, { claim_token, claim_started_at: tx.now, last_attempt_at: tx.now });
    return { binding_uid: uid, claim_token };
  });
}

function dueRow(bridge: BridgeRow) {
  return { ...bridge, active: bridge.active === 1, enabled: bridge.enabled === 1 };
}

/** Writes columns of a bridge. */
export async function putBridge(
  tx: Tx,
  bridge: StoredBridge,
  change: Partial<BridgeRow>,
): Promise<StoredBridge> {
  const { id, ...row } = { ...bridge, ...change, updated_at: tx.now };
  await tx.unfolded.put("external_root_binding", row);
  return { id, ...row };
}

/** A write of a run: the bridge as it is now, and who writes. */
export interface RunWrite extends Bound {
  readonly act: Act;
}

/** One reconcile. It writes under its claim only, and renews the claim while a connector is called. */
export class Run {
  readonly claim: BridgeClaim;
  readonly deps: RunDeps;
  readonly #client: ConnectorClient;
  readonly #lost: AbortController;
  #renewedMs: number;

  /** Undefined if the instance is not configured. */
  static open(
    deps: RunDeps,
    claim: BridgeClaim,
    instance: string,
    signal: AbortSignal,
  ): Run | undefined {
    const lost = new AbortController();
    const client = deps.roots?.client(instance, AbortSignal.any([signal, lost.signal]));
    return client && new Run(deps, claim, client, lost);
  }

  private constructor(
    deps: RunDeps,
    claim: BridgeClaim,
    client: ConnectorClient,
    lost: AbortController,
  ) {
    this.deps = deps;
    this.claim = claim;
    this.#client = client;
    this.#lost = lost;
    this.#renewedMs = deps.clock.nowMs();
  }

  /** Carries out a stage's write. Throws `external_root_claim_lost` if the run must end. */
  async write<T>(work: (tx: Tx, now: RunWrite) => Promise<T>): Promise<T> {
    return await this.deps.store.write(async (tx) => {
      const bound = await boundOf(tx, await tx.asExternalRoot(this.claim));
      const { issue, project, bridge } = bound;
      if (issue.deleted_at !== null || project.deleted_at !== null)
        throw new SvcError("external_root_claim_lost", { binding_uid: bridge.uid });
      const actor = await integrationActor(tx, project, bridge.connector_instance);
      return await work(tx, { ...bound, act: { actor, now: tx.now } });
    });
  }

  /** Calls the connector. The claim is renewed before the call and while it lasts. */
  async call<T>(work: (client: ConnectorClient) => Promise<T>): Promise<T> {
    await this.#renew();
    const ended = new AbortController();
    const renewing = this.#keepRenewing(ended.signal);
    try {
      return await work(this.#client);
    } finally {
      ended.abort();
      await renewing;
    }
  }

  async #keepRenewing(ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      await this.deps.clock.sleep(RENEW_MS, ended);
      if (ended.aborted) return;
      try {
        await this.#renew();
      } catch (error) {
        this.#lost.abort(error);
        return;
      }
    }
  }

  async #renew(): Promise<void> {
    const { clock, store } = this.deps;
    const nowMs = clock.nowMs();
    const isOld = needsRenewal(this.#renewedMs, nowMs);
    await store.write(async (tx) => {
      const bridge = await tx.asExternalRoot(this.claim);
      if (isOld) await putBridge(tx, bridge, { claim_started_at: tx.now });
    });
    if (isOld) this.#renewedMs = nowMs;
  }
}
