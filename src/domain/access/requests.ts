import { invariant } from "../../base/invariant.ts";
import type { ErrorCode } from "../../contract/error-codes.ts";
import type { Mode } from "./modes.ts";
import { type PrincipalKind, RIGHTS, type Right } from "./rights.ts";

/** What decides on a request (facts browser-and-auth 1.2). */
export interface Asked {
  readonly mode: Mode;
  readonly right: Right;
  /** True for GET and HEAD. */
  readonly get: boolean;
  /**
   * `configured` is the daemon's own token, `database` an active one of `svc tokens create`; an `Authorization` header
   * of another scheme is none.
   */
  readonly bearer: "none" | "wrong" | "configured" | "database";
  /** The actor header of a trusted listener; `untrusted` on any other listener, where it means nothing. */
  readonly proxy: "untrusted" | "absent" | "present";
}

export interface Refusal {
  readonly refused: ErrorCode;
  /** Replaces the message of the code, as `hint` replaces its hint, where these would mislead. */
  readonly message?: string;
  readonly hint?: string;
}

type When = { readonly [K in Exclude<keyof Asked, "proxy">]?: readonly Asked[K][] };
type Row = readonly [when: When, then: PrincipalKind | Refusal];

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

/** Who a request is from. The first row that fits decides; a part that a row leaves out may be anything. */
const ROWS: readonly Row[] = [
  [{ right: ["open"] }, "none"],
  [{ mode: ["open"] }, "none"],
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
 * The principal of a request, or why it is refused. The bearer is checked first, on trusted listeners too. Then the
 * trusted proxy takes the place of whoever the bearer named, and the principal needs the right.
 */
export function judgeRequest(asked: Asked): PrincipalKind | Refusal {
  const row = ROWS.find(([when]) => fits(when, asked));
  invariant(row !== undefined, "the last row of each mode fits every request");
  const [, then] = row;
  if (typeof then !== "string") return then;
  const kind = asked.right === "open" ? then : (PROXIED[asked.proxy] ?? then);
  const right = RIGHTS[kind][asked.right];
  return right === "yes" ? kind : { refused: right };
}

const PROXIED = {
  untrusted: undefined,
  absent: "trusted_proxy_absent",
  present: "trusted_proxy",
} as const;

function fits(when: When, asked: Asked): boolean {
  return (
    (when.mode?.includes(asked.mode) ?? true) &&
    (when.right?.includes(asked.right) ?? true) &&
    (when.get?.includes(asked.get) ?? true) &&
    (when.bearer?.includes(asked.bearer) ?? true)
  );
}
