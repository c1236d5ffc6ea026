import type { z } from "zod";
import { ACCESS_ERRORS, BODY_ERRORS, COMMON_ERRORS } from "./common-errors.ts";
import type { ErrorCode } from "./error-codes.ts";
import { Nothing, type OutputOf, type Shape } from "./shape.ts";
import { IssueParams, ProjectParams } from "./values.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * What a caller must be allowed to do. Every route states its access, and nothing derives the access from a path. The
 * mode of the daemon and the credential of the caller decide what the caller may do (`domain/access/`).
 * - `open`: nothing. A credential is never needed (ping, health).
 * - `read`: read.
 * - `stream`: follow the events.
 * - `write`: change something.
 * - `tokens`: administer tokens.
 * - `connectors`: use connectors, which act in other trackers with the credentials of the daemon. Reads need it too.
 * - `enrollment`: what the caller's enrollment token permits. No other credential gives it
 *   (docs/contract/federation.md#33-transport-routes).
 */
export type Access = keyof typeof ACCESS_ERRORS;

/** True if a request of the route may change something, so that a client must not repeat it on its own. */
export function changesState({ access, method }: Pick<Route, "access" | "method">): boolean {
  return access === "write" || (isAdministration(access) && method !== "GET");
}

function isAdministration(access: Access): boolean {
  return access === "tokens" || access === "connectors";
}

/**
 * Set on every route that changes the issue named in its path or acts on the lease of that issue. These routes accept
 * the header `X-Svc-Fence` (docs/leases.md).
 * - `gate`: every write of the operation is checked against the lease (`ops/leases/gate.ts`).
 * - `action`: the operation itself compares the fence in the header with the fence of the lease.
 */
export type FenceCheck = "gate" | "action";

type ObjectShape = Shape<z.ZodObject>;

/**
 * One HTTP operation. Request validation, OpenAPI document, typed client and agent tools are all derived from this
 * object. A path is written as in OpenAPI (`/issues/{ref}`), without the prefix `/api/v1`
 * (docs/contract/http-api.md#2-routes).
 */
export interface Route<
  P extends ObjectShape = ObjectShape,
  Q extends ObjectShape = ObjectShape,
  H extends ObjectShape = ObjectShape,
  B extends Shape = Shape,
  R extends Shape = Shape,
> {
  /** A name in camelCase, which is also the name of the op and the operationId in the OpenAPI document. */
  readonly id: string;
  readonly method: Method;
  readonly path: `/${string}`;
  readonly access: Access;
  readonly fenced?: FenceCheck;
  /**
   * Set if a page of this machine that was opened without a token may call the route. If it is a list, the page may
   * send only these fields of the body. If it is not set, the page gets `web_local_operation_forbidden`.
   */
  readonly local?: true | readonly string[];
  /** Set to `none` if no page may call the route, whichever session it has. */
  readonly pages?: "none";
  /**
   * Set if a spoke may call the route with the token of its enrollment, which must permit this. A request with the
   * header `X-Svc-Instance` is one of a spoke, and no other credential counts for it
   * (docs/contract/federation.md#33-transport-routes).
   */
  readonly spokes?: "claim";
  /** What the operation does, in one lower-case phrase. */
  readonly summary: string;
  readonly tag: string;
  /** The parameters in the path. By default these are the project and the issue, if the path names them. */
  readonly params: P;
  /** The daemon converts the texts of the query to the types of this schema. Unknown parameters are ignored. */
  readonly query: Q;
  /** Request headers that the operation reads, by lower-case name. The values are texts. */
  readonly headers: H;
  /**
   * `Nothing` if the operation has no body. Fields that the schema does not name are refused, unless it allows them.
   */
  readonly body: B;
  readonly response: R;
  /** Success status, default 200. 204 has no body. */
  readonly status: 200 | 201 | 204;
  /**
   * The route's own error codes. Further codes are added: those of all routes and of the route's access
   * (`common-errors.ts`), and, when the route is made, those for a missing project or issue of the path and for the
   * fence.
   */
  readonly errors: readonly ErrorCode[];
  /** Largest accepted body in bytes; the default is 1 MiB (`limits.ts`). */
  readonly maxBodyBytes?: number;
  /** Checks on the body's JSON text that a schema cannot make. */
  readonly strict?: StrictJson;
  /** The content type of the answer; JSON if not set. */
  readonly responseType?: "text/event-stream";
  /** Response headers that are part of the contract, each with its description. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** Set if the route answers 304 without a body when `If-None-Match` names the ETag of the answer. */
  readonly notModified?: true;
  /**
   * Set if the operation may take minutes, so that clients wait longer for the answer. `unbounded`: it waits for
   * another program, so clients set no limit of their own.
   */
  readonly lengthy?: boolean | "unbounded";
  /** Set if a request does not count as activity for idle shutdown (health, ping, instance). */
  readonly observational?: boolean;
}

/** Duplicate members are refused. `maxBytes` limits some members to a number of bytes in the text as received. */
export interface StrictJson {
  readonly maxBytes: Readonly<Record<string, number>>;
}

type Defaults = "params" | "query" | "headers" | "body" | "status" | "errors";
type NothingShape = typeof Nothing;

/** The default type of `params`: the project, and the issue if the path of the route names one. */
type PlaceParams<Path> = Path extends `${string}{ref}${string}`
  ? typeof IssueParams
  : Path extends `${string}{project_id}${string}`
    ? typeof ProjectParams
    : NothingShape;

function placeParams(path: string): ObjectShape {
  if (path.includes("{ref}")) return IssueParams;
  return path.includes("{project_id}") ? ProjectParams : Nothing;
}

/**
 * The pages that may call a route. `local`: all pages, even a page of this machine that was opened without a token.
 * `session`: only pages whose session was opened with a token. `none`: no page.
 */
export type PageReach = "local" | "session" | "none";

export function pageReachOf({ local, pages }: Pick<Route, "local" | "pages">): PageReach {
  if (pages !== undefined) return pages;
  return local === undefined ? "session" : "local";
}

/** Returns a function that makes the routes of a file. `tag` is their heading in the documentation. */
export const routesOf =
  (tag: string) =>
  <
    const Path extends `/${string}`,
    P extends ObjectShape = PlaceParams<Path>,
    Q extends ObjectShape = NothingShape,
    H extends ObjectShape = NothingShape,
    B extends Shape = NothingShape,
    R extends Shape = Shape,
  >(
    spec: Omit<Route<P, Q, H, B, R>, Defaults | "tag" | "path"> & { readonly path: Path } & Partial<
        Pick<Route<P, Q, H, B, R>, Defaults>
      >,
  ): Route<P, Q, H, B, R> => {
    const made: Route<P, Q, H, B, R> = {
      tag,
      params: placeParams(spec.path) as unknown as P,
      query: Nothing as unknown as Q,
      headers: Nothing as unknown as H,
      body: Nothing as unknown as B,
      status: 200,
      errors: [],
      ...spec,
    };
    const { path, errors, fenced } = made;
    const codes = [...placeErrors(path), ...errors, ...(fenced ? FENCE_ERRORS[fenced] : [])];
    return { ...made, errors: [...new Set(codes)] };
  };

/** Header with the fence of the lease under which an issue is changed. */
export const FENCE_HEADER = "x-svc-fence";

export function codesOf({ access, body, errors }: Pick<Route, "access" | "body" | "errors">) {
  const ofBody = body === Nothing ? [] : BODY_ERRORS;
  return [...errors, ...ofNames(errors), ...COMMON_ERRORS, ...ACCESS_ERRORS[access], ...ofBody];
}

/**
 * Adds `prefix_ambiguous` to the codes of a route that names an issue: a short id that once belonged to another issue
 * may fit two issues, and then names neither of them.
 */
function ofNames(errors: readonly ErrorCode[]): readonly ErrorCode[] {
  const isNamed = errors.includes("issue_not_found") && !errors.includes("prefix_ambiguous");
  return isNamed ? ["prefix_ambiguous"] : [];
}

/** Error codes of each kind of fence check. Only the gate answers `claim_denied` if somebody else holds the lease. */
const FENCE_ERRORS: Readonly<Record<FenceCheck, readonly ErrorCode[]>> = {
  gate: ["claim_denied", "claim_expired", "claim_not_held", "fence_stale"],
  action: ["claim_expired", "claim_not_held", "fence_stale"],
};

function placeErrors(path: string): readonly ErrorCode[] {
  return [
    ...(path.includes("{project_id}") ? (["project_not_found"] as const) : []),
    ...(path.includes("{ref}") ? (["issue_not_found"] as const) : []),
  ];
}

/** What an op receives. The request is parsed once, in `daemon/bind.ts`. */
export interface Input<T extends Route> {
  readonly params: OutputOf<T["params"]>;
  readonly query: OutputOf<T["query"]>;
  readonly headers: OutputOf<T["headers"]>;
  readonly body: OutputOf<T["body"]>;
}

/** What an op returns and a client receives. */
export type Output<T extends Route> = OutputOf<T["response"]>;

type In<S extends Shape> = z.input<ReturnType<S>>;
type Part<K extends string, S extends Shape> =
  Record<never, never> extends In<S> ? { readonly [P in K]?: In<S> } : { readonly [P in K]: In<S> };

/** What a caller passes. A part whose fields are all optional may be left out. */
export type CallInput<T extends Route> = Part<"params", T["params"]> &
  Part<"query", T["query"]> &
  Part<"headers", T["headers"]> &
  Part<"body", T["body"]>;
