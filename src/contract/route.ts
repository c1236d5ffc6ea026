import type { z } from "zod";
import type { ErrorCode } from "./errors.ts";
import { Nothing, type Of, type Shape } from "./shape.ts";

/** What every path of a route stands behind (facts http-api 1.1). */
export const BASE_PATH = "/api/v1";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call: `open` needs no credential ever (ping, health); `read` and `write` follow the listener's policy.
 * Required on every route; nothing decides by path.
 */
export type Access = "open" | "read" | "write";

/**
 * Set on every change of the issue that the path names and on every action on its lease: they take the header
 * `X-Svc-Fence` (docs/leases.md). `gate`: the lease gate checks it (`ops/leases/gate.ts`). `action`: the operation is
 * about the lease and compares the fence itself.
 */
export type FenceCheck = "gate" | "action";

type ObjectShape = Shape<z.ZodObject>;

/**
 * One HTTP operation. The server's validation, the OpenAPI document, the typed client and the agent tools all read
 * this object. Paths are in OpenAPI form, relative to `/api/v1` (doc 1, Endpoints).
 */
export interface Route<
  P extends ObjectShape = ObjectShape,
  Q extends ObjectShape = ObjectShape,
  H extends ObjectShape = ObjectShape,
  B extends Shape = Shape,
  R extends Shape = Shape,
> {
  /** camelCase; also the op's name and the operationId. */
  readonly id: string;
  readonly method: Method;
  readonly path: `/${string}`;
  readonly access: Access;
  readonly fenced?: FenceCheck;
  /** What it does, in one lower-case phrase. */
  readonly summary: string;
  readonly tag: string;
  readonly params: P;
  /** Natural types (integer, boolean, array for a repeatable one); `bind` reads them from text. Unknown ones are ignored. */
  readonly query: Q;
  /** Request headers that the operation reads, by lower-case name; values are text. */
  readonly headers: H;
  /** `Nothing` when the operation takes no body. Unknown fields are refused. */
  readonly body: B;
  readonly response: R;
  /** Success status, 200 unless said. 204 has no body. */
  readonly status: 200 | 201 | 204;
  /** Codes beyond those every route of its kind can give (see `errors.ts`, COMMON_ERRORS). */
  readonly errors: readonly ErrorCode[];
  /** Largest accepted body in bytes; the default is 1 MiB (`limits.ts`). */
  readonly maxBodyBytes?: number;
  /** The body's JSON is held to more than its schema can see. */
  readonly strict?: StrictJson;
  /** JSON unless said. */
  readonly responseType?: "text/event-stream";
  /** Response headers that carry something of the contract: what each says. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** May take minutes where there is much to do: clients wait for the answer longer than for others. */
  readonly lengthy?: boolean;
  /** Idle shutdown does not see the call (health, ping, instance). */
  readonly observational?: boolean;
}

/** No object may have a member twice, and some members have a size as they are received. */
export interface StrictJson {
  readonly maxBytes: Readonly<Record<string, number>>;
}

type Defaults = "params" | "query" | "headers" | "body" | "status" | "errors";
type NothingShape = typeof Nothing;

export function route<
  P extends ObjectShape = NothingShape,
  Q extends ObjectShape = NothingShape,
  H extends ObjectShape = NothingShape,
  B extends Shape = NothingShape,
  R extends Shape = Shape,
>(
  spec: Omit<Route<P, Q, H, B, R>, Defaults> & Partial<Pick<Route<P, Q, H, B, R>, Defaults>>,
): Route<P, Q, H, B, R> {
  const made: Route<P, Q, H, B, R> = {
    params: Nothing as unknown as P,
    query: Nothing as unknown as Q,
    headers: Nothing as unknown as H,
    body: Nothing as unknown as B,
    status: 200,
    errors: [],
    ...spec,
  };
  const { errors, fenced } = made;
  return fenced === undefined ? made : { ...made, errors: withFenceErrors(errors, fenced) };
}

/** The header that carries the fence of the lease under which an issue is changed. */
export const FENCE_HEADER = "x-svc-fence";

/** What the check of a fence can answer. An action on a lease says by itself that somebody else holds it. */
const FENCE_ERRORS: Readonly<Record<FenceCheck, readonly ErrorCode[]>> = {
  gate: ["claim_denied", "claim_expired", "claim_not_held", "fence_stale"],
  action: ["claim_expired", "claim_not_held", "fence_stale"],
};

function withFenceErrors(errors: readonly ErrorCode[], check: FenceCheck): readonly ErrorCode[] {
  return [...errors, ...FENCE_ERRORS[check].filter((code) => !errors.includes(code))];
}

/** What an op receives: parsed once, in `daemon/bind.ts`. */
export interface Input<T extends Route> {
  readonly params: Of<T["params"]>;
  readonly query: Of<T["query"]>;
  readonly headers: Of<T["headers"]>;
  readonly body: Of<T["body"]>;
}

/** What an op returns and a client receives. */
export type Output<T extends Route> = Of<T["response"]>;
