import { stopwatch } from "../base/clock.ts";
import { SvcError } from "../contract/errors.ts";
import { FEDERATION_POLL_LIMIT } from "../contract/federation-transport.ts";
import type { Digest } from "../domain/federation/digest.ts";
import type { Replica } from "../ops/federation/bound-replica.ts";
import { countCopy } from "../ops/federation/comparison.ts";
import { beginPass, endPull, findReplica, noteFailedPull } from "../ops/federation/replica.ts";
import type { ResetOutcome } from "../ops/federation/reset-replica.ts";
import { markOwnEventsUnsent, mustSendAgain } from "../ops/federation/send-again.ts";
import type { WrittenPage } from "../ops/federation/write-page.ts";
import type { HubLeaseRequest } from "../ops/leases/hub-leases.ts";
import { returnClaimed, settleLeases } from "../ops/leases/settle.ts";
import { TermOver } from "../ops/term.ts";
import { type Hub, HubFault, type HubMetadata } from "./hub.ts";
import { requireHubMetadata } from "./metadata.ts";
import type { PassDeps } from "./pass-deps.ts";
import { type PushOutcome, push } from "./push.ts";
import { judgeStale, STALE } from "./stale.ts";

/**
 * - `current`: all that was written here was sent, and all that the hub has was read.
 * - `more`: a part was sent or read; other projects come first. `pages` counts pages and batches, `events` their
 *   events.
 * - `failed`: nothing more can be sent or read now. `code` is stored in the status.
 * - `gone`: this daemon has no copy of the project any more that it may read, or the pass was stopped.
 */
export type PassOutcome =
  | { readonly outcome: "current" | "more"; readonly pages: number; readonly events: number }
  | {
      readonly outcome: "failed";
      readonly code: string;
      readonly retryAfterMs?: number | undefined;
    }
  | { readonly outcome: "gone" };

/** The maximum number of pages of one pass. After these, other projects have their turn. */
const MOST_PAGES = 50;
/**
 * If a hub made a copy clear its data and then sent no usable page, it gets no request for this time, because clearing
 * is expensive.
 */
const AFTER_CLEARING_MS = 600_000;

/**
 * Sends what was written here to the hub of the project, and then reads the hub's events after the cursor
 * (docs/contract/federation.md#71-a-pass). What is read and written stays, whatever happens later. While nobody has
 * decided about a batch that the hub refused, no request is sent. A fault of the hub is stored as a code and retried by
 * the next pass; the copy is kept. A fault of this daemon is stored too, and thrown.
 */
export async function runPass(
  deps: PassDeps,
  project_uid: string,
  signal: AbortSignal,
): Promise<PassOutcome> {
  try {
    const begun = await beginPass(deps.store, project_uid);
    if (begun === undefined) return { outcome: "gone" };
    if ("refused" in begun) return { outcome: "failed", code: begun.refused };
    return await withHub(deps, begun.replica, async (hub) => {
      const leases = {
        ...{ store: deps.store, replica: begun.replica, stopwatch },
        permits: deps.permitsLeases === true,
        ask: async (request: HubLeaseRequest) => await hub.lease(request, signal),
      };
      await settleLeases(leases);
      const pushed = await push(deps, hub, begun.replica, signal);
      if (pushed.outcome === "gone") return pushed;
      if (pushed.outcome === "more")
        return { outcome: "more", pages: pushed.batches, events: pushed.events };
      await returnClaimed(leases);
      const pulled = await pull(deps, hub, pushed.replica, signal);
      if (pulled.outcome !== "current") return pulled;
      const { digest, ...current } = pulled;
      const compared =
        digest === undefined
          ? undefined
          : await countCopy(deps.store, project_uid, digest, deps.clock.now());
      await endPull(deps.store, pushed.replica, { sentUpTo: pushed.upTo, compared });
      return pushed.replica.pushes_once_read
        ? await goOnSending(deps, project_uid, current)
        : current;
    });
  } catch (error) {
    if (signal.aborted) return { outcome: "gone" };
    if (!(error instanceof HubFault)) {
      if (!(error instanceof TermOver)) await noteOwnFault(deps, project_uid, error);
      throw error;
    }
    await noteFailedPull(deps.store, project_uid, error.code);
    return { outcome: "failed", code: error.code, retryAfterMs: error.retryAfterMs };
  }
}

/**
 * Called when all events of the hub were read. Only now it is known which events the hub lacks; the next pass sends
 * them.
 */
async function goOnSending(
  { store, beginSending }: PassDeps,
  project_uid: string,
  pulled: PassOutcome & { readonly pages: number },
): Promise<PassOutcome> {
  const replica = await store.read(async (reader) => await findReplica(reader, project_uid));
  if (replica === undefined || (await beginSending({ replica })) === "gone")
    return { outcome: "gone" };
  return { outcome: "more", pages: pulled.pages, events: 1 };
}

/** Stores the code of a fault of this daemon, if the database can still be written; the caller logs the fault. */
async function noteOwnFault(
  { store }: Pick<PassDeps, "store">,
  project_uid: string,
  fault: unknown,
): Promise<void> {
  const code = fault instanceof SvcError ? fault.code : "internal";
  await noteFailedPull(store, project_uid, code).catch(() => undefined);
}

/** Runs `work` with a connection to the hub, and then closes the connection, so that an idle copy keeps none open. */
async function withHub<T>(
  deps: PassDeps,
  replica: Replica,
  work: (hub: Hub) => Promise<T>,
): Promise<T> {
  const hub = await deps.hubOf(replica);
  try {
    return await work(hub);
  } finally {
    hub.close();
  }
}

type Pulled = Exclude<PassOutcome, { readonly outcome: "current" | "more" }> | Read;

interface Read {
  readonly outcome: "current" | "more";
  readonly pages: number;
  readonly events: number;
  /** The digest of the hub, if the hub gave one at the end of its log. */
  readonly digest?: Digest;
}

async function pull(
  deps: PassDeps,
  hub: Hub,
  begun: Replica,
  signal: AbortSignal,
): Promise<Pulled> {
  let replica = begun;
  let [events, isReset, isEmpty] = [0, false, false];
  for (let pages = 1; ; pages += 1) {
    const written = await nextPage(deps, hub, replica, signal);
    if (written.outcome === "disabled") return { outcome: "gone" };
    if (written.outcome === "refused")
      throw new HubFault(written.code, isEmpty ? { retryAfterMs: AFTER_CLEARING_MS } : {});
    if (written.outcome === "gone") return { outcome: "gone" };
    if (written.outcome === "written") {
      events += written.accepted;
      isEmpty = false;
      if (!written.more) {
        const { digest } = written;
        return { outcome: "current", pages, events, ...(digest === undefined ? {} : { digest }) };
      }
      if (pages >= MOST_PAGES) return { outcome: "more", pages, events };
    } else {
      // A hub that requires a reset twice in one pass would never let the copy read.
      if (isReset) throw new HubFault("hub_validation", { retryAfterMs: AFTER_CLEARING_MS });
      const metadata = written.metadata ?? (await requireHubMetadata(hub, replica, signal));
      if (mustSendAgain(replica, metadata)) {
        const sent = await sendAgain(deps, hub, replica, signal);
        if (sent.outcome === "gone") return sent;
        if (sent.outcome === "more") return { ...sent, pages: pages + sent.batches };
        replica = sent.replica;
        continue;
      }
      [isReset, isEmpty] = [true, true];
      const outcome = await beginAnew(deps, replica, { ...written, metadata }, signal);
      if (outcome === "pending_push" || outcome === "quarantine") throw new HubFault(outcome);
      if (outcome === "gone") return { outcome: "gone" };
    }
    const next = await deps.store.read(
      async (reader) => await findReplica(reader, begun.project_uid),
    );
    if (next === undefined) return { outcome: "gone" };
    replica = next;
  }
}

type PageOutcome =
  | Exclude<WrittenPage, { readonly outcome: "reset_required" }>
  | { readonly outcome: "disabled" }
  | {
      readonly outcome: "reset_required";
      readonly metadata?: HubMetadata;
      /** Whether the hub did not accept the stamp of the copy. */
      readonly isStale?: boolean;
    };

async function nextPage(
  deps: PassDeps,
  hub: Hub,
  replica: Replica,
  signal: AbortSignal,
): Promise<PageOutcome> {
  const { cursor: after, epoch, chain, stamp } = replica;
  const log = epoch === null ? undefined : { epoch, ...(chain === null ? {} : { chain }) };
  const cursor = { after, limit: FEDERATION_POLL_LIMIT, log, stamp: stamp ?? undefined };
  try {
    const page = await hub.eventsAfter(cursor, signal);
    return await untilFree(deps, signal, async () => await deps.write({ replica, page }));
  } catch (error) {
    if (!(error instanceof HubFault) || error.code !== STALE) throw error;
    const metadata = await judgeStale(deps, hub, replica, signal);
    if (metadata === undefined) return { outcome: "disabled" };
    return { outcome: "reset_required", metadata, isStale: true };
  }
}

/** Called if the hub's log was replaced: the copy sends its events again before it is cleared. */
async function sendAgain(
  deps: PassDeps,
  hub: Hub,
  { project_uid, ...read }: Replica,
  signal: AbortSignal,
): Promise<PushOutcome> {
  const begun = await untilFree(
    deps,
    signal,
    async () => await markOwnEventsUnsent(deps.store, { project_uid, ...read }),
  );
  const replica = await deps.store.read(async (reader) => await findReplica(reader, project_uid));
  if (begun === "gone" || replica === undefined) return { outcome: "gone" };
  return await push(deps, hub, replica, signal);
}

async function beginAnew(
  deps: PassDeps,
  replica: Replica,
  { metadata, isStale }: { readonly metadata: HubMetadata; readonly isStale?: boolean },
  signal: AbortSignal,
): Promise<ResetOutcome> {
  const { replay_horizon_event_id, baseline_through_event_id, last_event_id, epoch } = metadata;
  const at = { replay_horizon_event_id, baseline_through_event_id, last_event_id, epoch };
  const reset = { replica, ...at, forgets_stamp: isStale === true };
  return await untilFree(deps, signal, async () => await deps.reset(reset));
}

/** How many times a write is attempted while the database is busy, and the pause between two attempts. */
const BUSY_TRIES = 10;
const BUSY_MS = 1000;

async function untilFree<T>(
  { clock }: Pick<PassDeps, "clock">,
  signal: AbortSignal,
  write: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      const isBusy = error instanceof SvcError && error.code === "busy";
      if (!isBusy || tries === BUSY_TRIES || signal.aborted) throw error;
      await clock.sleep(BUSY_MS, signal);
    }
  }
}
