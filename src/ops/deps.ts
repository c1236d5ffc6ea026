import type { Clock } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import type { Input, Output, Route } from "../contract/route.ts";
import type { PrincipalKind } from "../domain/access/rights.ts";
import type { Store, Tx } from "../store/types/store.ts";
import type { HubLeases } from "./leases/hub-leases.ts";
import type { PastFolds } from "./past/folds.ts";
import type { SemanticOutcome } from "./search/semantic.ts";
import type { Streamed } from "./streamed-rows.ts";

/**
 * An operation: the function that carries out a route. `Uses` names the dependencies that it needs, usually only the
 * store. It receives the request that `bind` parsed, returns the body of the answer, and throws an `SvcError` for a
 * request that it refuses.
 */
export type Op<R extends Route, Uses extends keyof Deps = "store"> = (
  deps: Pick<Deps, Uses>,
  who: Principal,
  input: Input<R>,
) => Promise<Output<R>>;

/** An operation that only reads, so that it may also run in the read worker. */
export type ReadOp<R extends Route, Uses extends keyof ReadDeps = "store"> = (
  deps: Pick<ReadDeps, Uses>,
  who: Principal,
  input: Input<R>,
) => Promise<Output<R>>;

/** A read operation whose answer the read worker may send while the rest of it is still being read. */
export type StreamOp<R extends Route> = (
  deps: ReadDeps,
  who: Principal,
  input: Input<R>,
) => Promise<Streamed<Output<R>>>;

/**
 * The store as operations see it. The caller of an operation wraps the store so that each write is checked
 * (`guarded.ts`); no operation can avoid the checks.
 */
export interface OpStore
  extends Pick<Store, "instanceUid" | "read" | "leaseNow" | "erase" | "rewriteTexts"> {
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

export interface Deps {
  readonly store: OpStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settings: OpSettings;
  /**
   * The fence of the request (`X-Svc-Fence`). Most writes of the operation's store check this fence (`leases/gate.ts`).
   * Actions on a lease, and operations that check the lease before anything else, compare the fence themselves.
   */
  readonly fence?: number | undefined;
  /** Asks hubs about the leases of this daemon's copies. */
  readonly hubLeases?: HubLeases | undefined;
  /**
   * Set on the daemon's own thread, where other requests wait. An operation with much to write then throws
   * `NeedsWorker` before it writes anything, and a worker repeats the request.
   */
  readonly smallWorkOnly?: boolean;
}

/** `Deps` with a store whose writes check no lease. `underLease` (`leases/gate.ts`) adds the check. */
export type UngatedDeps = Deps & { readonly store: Store };

export interface ReadDeps extends Pick<Deps, "clock" | "settings"> {
  readonly store: Pick<OpStore, "read" | "leaseNow">;
  /**
   * Set on the daemon's own thread. An operation with much to read then throws `NeedsWorker`, and a worker repeats the
   * request.
   */
  readonly smallWorkOnly?: boolean;
  /**
   * True if all reads see one snapshot that stays open until the answer has been sent. Lists may then be
   * `StreamedRows`, which are read while the answer is sent.
   */
  readonly streams?: boolean;
  /**
   * Remembers the state that the last request about the past computed from the log, since the next request may ask for
   * the same moment.
   */
  readonly past?: PastFolds;
  /** What the search by meaning finds, while the operation searches by words. */
  readonly meant?: Promise<SemanticOutcome> | undefined;
}

export interface OpSettings {
  /** IANA zone for planning dates that have none of their own. */
  readonly timezone: string;
  /** Limits how many issues with the same parent may be closed in a short time, and refuses repeated close messages. */
  readonly close_throttle: {
    readonly enabled: boolean;
    readonly window_ms: number;
    readonly limit: number;
  };
}

/** The caller. `actor` is set when a credential determines it; otherwise the request names the actor. */
export interface Principal {
  readonly kind: PrincipalKind;
  readonly actor?: string;
  /**
   * The local id of the caller's token, for a caller of the kind `db_token`. Each write checks in its transaction that
   * this token is still active.
   */
  readonly tokenId?: number;
  /**
   * SHA-256 of the token that a caller of the kind `enrollment` sent, as 64 lower-case hex digits. Whether an
   * enrollment has this token is not checked yet.
   */
  readonly enrollmentHash?: string;
  /** True for the owner of the machine, who calls over a Unix socket or loopback without a credential. */
  readonly local: boolean;
}
