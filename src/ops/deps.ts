import type { Clock } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import type { Input, Output, Route } from "../contract/route.ts";
import type { Store, Tx } from "../store/types.ts";
import type { PastFolds } from "./past/folds.ts";
import type { Streamed } from "./streamed-rows.ts";

/**
 * An operation: what a route does. `Uses` names the dependencies that it asks for, the store alone as a rule. It takes the request as `bind`
 * parsed it, gives the body of the answer, and throws an `SvcError` for what it refuses.
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

/** The same for one whose answer the read worker may send while it is made. */
export type StreamOp<R extends Route> = (
  deps: ReadDeps,
  who: Principal,
  input: Input<R>,
) => Promise<Streamed<Output<R>>>;

/**
 * The store as an operation has it. Whoever calls the operation says what its writes are held to (`guarded.ts`), so
 * an operation cannot leave that out.
 */
export interface OpStore extends Pick<Store, "instanceUid" | "read" | "leaseNow" | "erase"> {
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** What operations are given; built once by the daemon and once by each test. An op asks only for what it uses. */
export interface Deps {
  readonly store: OpStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settings: OpSettings;
  /** The fence that this request names (`X-Svc-Fence`), for the actions on a lease; the lease gate holds all others to it. */
  readonly fence?: number | undefined;
  /** Set on the daemon's own thread, where other requests wait: an op with much to write throws `NeedsWorker` first. */
  readonly smallWorkOnly?: boolean;
}

/** The same before the lease gate (`leases/gate.ts`) stands before its store; reads need none. */
export type UngatedDeps = Deps & { readonly store: Store };

/** For an op that only reads: it may also run in a thread beside the daemon's. */
export interface ReadDeps extends Pick<Deps, "clock" | "settings"> {
  readonly store: Pick<OpStore, "read" | "leaseNow">;
  /** Where others wait: an op that finds that it has much to do throws `NeedsWorker` before it does it. */
  readonly smallWorkOnly?: boolean;
  /** All readings are of one snapshot, which stays open until the answer was sent: lists may be `StreamedRows`. */
  readonly streams?: boolean;
  /** Where a fold of the past is kept for the next who asks for it. */
  readonly past?: PastFolds;
}

export interface OpSettings {
  /** IANA name of the zone in which planning dates without one are read. */
  readonly timezone: string;
  /** Whether closes in a burst of siblings or with a repeated message are refused, and how many make a burst. */
  readonly close_throttle: {
    readonly enabled: boolean;
    readonly window_ms: number;
    readonly limit: number;
  };
}

/** The caller as `bind` knows it. `actor` is set when a credential decides it; a request's own actor is used otherwise. */
export interface Principal {
  readonly actor?: string;
  /** Reached over a Unix socket or loopback by the owner of the machine. */
  readonly local: boolean;
}
