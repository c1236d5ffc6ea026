import { invariant } from "../../base/invariant.ts";
import type { ErrorCode } from "../../contract/error-codes.ts";
import type { Mode } from "./modes.ts";
import { type PrincipalKind, RIGHTS, type Right } from "./rights.ts";

/** The parts of a request that decide who sent it (docs/contract/network-and-access.md#12-who-a-request-is). */
export interface AccessRequest {
  readonly mode: Mode;
  readonly right: Right;
  /** True for GET and HEAD. */
  readonly get: boolean;
  /**
   * The token that the request sends: `configured` is the daemon's own token, `database` is an active token that `svc
   * tokens create` made. An `Authorization` header with another scheme than `Bearer` counts as `none`.
   */
  readonly bearer: "none" | "wrong" | "configured" | "database";
  /**
   * The actor header of a trusted listener: `absent` or `present`. On any other listener the header means nothing and
   * this is `untrusted`.
   */
  readonly proxy: "untrusted" | "absent" | "present";
  /**
   * `other`: no credential is required, and the connection is known to come from another user of this machine.
   * `not_proxy`: the listener answers only the user whom its proxy runs as, and the connection comes from somebody else.
   */
  readonly peer?: "other" | "not_proxy";
  /**
   * True if every token that `svc tokens create` made has the right `connectors`
   * (docs/contract/connectors.md#8-who-may-use-connectors).
   */
  readonly tokensAdministerConnectors?: boolean;
}

export interface Refusal {
  readonly refused: ErrorCode;
  /** The message for the caller, if the standard message of the error code would mislead. */
  readonly message?: string;
  /** The hint for the caller, if the standard hint of the error code would mislead. */
  readonly hint?: string;
}

/** Whether the daemon checks tokens. */
export function takesToken(mode: Mode): boolean {
  return mode === "static" || mode === "identity";
}

type RowCondition = {
  readonly [K in Exclude<
    keyof AccessRequest,
    "proxy" | "tokensAdministerConnectors"
  >]?: readonly Required<AccessRequest>[K][];
};
type AccessRow = readonly [when: RowCondition, then: PrincipalKind | Refusal];

const NO_TOKENLESS: Refusal = {
  refused: "auth_required",
  message: "this daemon writes without tokens, so it administers and profiles nothing",
  hint: "start it with [auth] token instead of allow_unauthenticated_private_network_writes",
};
const READ_ONLY: Refusal = {
  refused: "auth_required",
  message: "this daemon is read-only (--insecure-readonly)",
  hint: "start it with [auth] token to write, follow events or administer tokens",
};
const NO_INTEGRATION: Refusal = { refused: "integration_administration_forbidden" };
const OTHER_USER: Refusal = {
  refused: "auth_required",
  message: "this daemon has no token, so it answers only the user who runs it",
  hint: "start it with [auth] token and send that, or use a daemon of your own",
};

const NOT_THE_PROXY: Refusal = {
  refused: "auth_required",
  message: "this address answers only the proxy that is set up for it",
  hint: "ask through the proxy, or at another address of the daemon",
};

/**
 * The table that decides who sent a request. The first row whose conditions all hold decides. A row has no condition
 * for the parts that it leaves out.
 */
const ROWS: readonly AccessRow[] = [
  [{ right: ["open"] }, "none"],
  [{ peer: ["not_proxy"] }, NOT_THE_PROXY],
  [{ mode: ["open"], peer: ["other"] }, OTHER_USER],
  [{ mode: ["open"] }, "none"],
  [{ mode: ["tokenless", "readonly"], right: ["connectors"] }, NO_INTEGRATION],
  [{ mode: ["tokenless"], right: ["tokens", "profile"] }, NO_TOKENLESS],
  [{ mode: ["tokenless"] }, "none"],
  [{ mode: ["readonly"], right: ["read"], get: [true] }, "none"],
  [{ mode: ["readonly"] }, READ_ONLY],
  [{ mode: ["static", "identity"], bearer: ["none"] }, { refused: "auth_required" }],
  [{ mode: ["static"], bearer: ["configured"] }, "static_token"],
  [{ mode: ["static"] }, { refused: "auth_invalid" }],
  [{ mode: ["identity"], bearer: ["configured"] }, "bootstrap"],
  [{ mode: ["identity"], bearer: ["database"] }, "db_token"],
  [{ mode: ["identity"] }, { refused: "token_invalid" }],
];

/**
 * The rows that can match in each mode, in the order of `ROWS`. They are selected once, since a daemon judges all
 * requests in the same mode.
 */
const ROWS_OF: Readonly<Record<Mode, readonly AccessRow[]>> = {
  open: rowsOf("open"),
  tokenless: rowsOf("tokenless"),
  readonly: rowsOf("readonly"),
  static: rowsOf("static"),
  identity: rowsOf("identity"),
};

function rowsOf(mode: Mode): readonly AccessRow[] {
  return ROWS.filter(([when]) => when.mode?.includes(mode) ?? true);
}

/**
 * Returns the kind of principal that sends the request, or why the request is refused. First `ROWS` checks the token,
 * on every listener. On a listener for a trusted proxy, the actor header then decides the principal instead of the
 * token. Finally the principal must have the right that the request needs.
 */
export function judgeRequest(request: AccessRequest): PrincipalKind | Refusal {
  const row = ROWS_OF[request.mode].find(([when]) => isMatch(when, request));
  invariant(row !== undefined, "the last row of each mode fits every request");
  const [, then] = row;
  if (typeof then !== "string") return then;
  const kind = request.right === "open" ? then : (PROXIED[request.proxy] ?? then);
  const right = RIGHTS[kind][request.right];
  return right === "yes" || isPermittedBySetting(kind, request) ? kind : { refused: right };
}

function isPermittedBySetting(kind: PrincipalKind, request: AccessRequest): boolean {
  const { right, tokensAdministerConnectors = false } = request;
  return tokensAdministerConnectors && kind === "db_token" && right === "connectors";
}

const PROXIED = {
  untrusted: undefined,
  absent: "trusted_proxy_absent",
  present: "trusted_proxy",
} as const;

function isMatch(when: RowCondition, request: AccessRequest): boolean {
  return (
    (when.mode?.includes(request.mode) ?? true) &&
    (when.right?.includes(request.right) ?? true) &&
    (when.get?.includes(request.get) ?? true) &&
    (when.bearer?.includes(request.bearer) ?? true) &&
    (when.peer === undefined || when.peer[0] === request.peer)
  );
}
