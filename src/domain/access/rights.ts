import type { ErrorCode } from "../../contract/error-codes.ts";
import type { Access } from "../../contract/route.ts";

/**
 * What authenticated a request (docs/contract/network-and-access.md#12-who-a-request-is).
 * - `none`: nothing, since the mode asks for no credential.
 * - `static_token`: the configured token, where everybody uses this one token (mode `static`).
 * - `bootstrap`: the configured token, where each person has a token of their own (mode `identity`).
 * - `db_token`: a token of `svc tokens create`.
 * - `trusted_proxy`: the actor header of a request on a trusted listener.
 * - `trusted_proxy_absent`: nothing, since a request on a trusted listener has no actor header.
 * - `web_local`: the session of a page that was opened without a token.
 * - `enrollment`: a token with the form of an enrollment's token. Whether there is such an enrollment is checked by the
 *   operation (`ops/federation/`).
 */
export type PrincipalKind =
  | "none"
  | "static_token"
  | "bootstrap"
  | "db_token"
  | "trusted_proxy"
  | "trusted_proxy_absent"
  | "web_local"
  | "enrollment";

/** The right that a request needs: the access of its route, or `profile` for paths below `/debug/pprof/`. */
export type Right = Access | "profile";

const YES = "yes";
const ADMIN_FORBIDDEN = "token_admin_forbidden";
const BOOTSTRAP_WRITE_FORBIDDEN = "bootstrap_token_write_forbidden";
const HEADER_REQUIRED = "actor_header_required";
const INTEGRATION_FORBIDDEN = "integration_administration_forbidden";
const NO_ENROLLMENT = "auth_invalid";
const LOCAL_FORBIDDEN = "web_local_operation_forbidden";

/**
 * What each principal may do, or the code of the refusal (docs/contract/network-and-access.md#12-who-a-request-is).
 * `none` may do everything here, because the table of requests (`requests.ts`) already refuses what a mode does not
 * allow without a credential. A setting can give `db_token` the right `connectors`
 * (`AccessRequest.tokensAdministerConnectors`).
 */
export const RIGHTS = {
  none: {
    open: YES,
    read: YES,
    stream: YES,
    profile: YES,
    write: YES,
    tokens: YES,
    connectors: YES,
    enrollment: NO_ENROLLMENT,
  },
  static_token: {
    open: YES,
    read: YES,
    stream: YES,
    profile: YES,
    write: YES,
    tokens: YES,
    connectors: YES,
    enrollment: NO_ENROLLMENT,
  },
  bootstrap: {
    open: YES,
    read: YES,
    stream: YES,
    profile: YES,
    write: BOOTSTRAP_WRITE_FORBIDDEN,
    tokens: YES,
    connectors: INTEGRATION_FORBIDDEN,
    enrollment: NO_ENROLLMENT,
  },
  db_token: {
    open: YES,
    read: YES,
    stream: YES,
    profile: YES,
    write: YES,
    tokens: ADMIN_FORBIDDEN,
    connectors: INTEGRATION_FORBIDDEN,
    enrollment: NO_ENROLLMENT,
  },
  trusted_proxy: {
    open: YES,
    read: YES,
    stream: YES,
    profile: YES,
    write: YES,
    tokens: ADMIN_FORBIDDEN,
    connectors: INTEGRATION_FORBIDDEN,
    enrollment: NO_ENROLLMENT,
  },
  trusted_proxy_absent: {
    open: YES,
    read: YES,
    stream: YES,
    profile: YES,
    write: HEADER_REQUIRED,
    tokens: ADMIN_FORBIDDEN,
    connectors: INTEGRATION_FORBIDDEN,
    enrollment: NO_ENROLLMENT,
  },
  web_local: {
    open: YES,
    read: YES,
    stream: YES,
    profile: LOCAL_FORBIDDEN,
    write: YES,
    tokens: LOCAL_FORBIDDEN,
    connectors: INTEGRATION_FORBIDDEN,
    enrollment: NO_ENROLLMENT,
  },
  enrollment: {
    open: YES,
    read: NO_ENROLLMENT,
    stream: NO_ENROLLMENT,
    profile: NO_ENROLLMENT,
    write: NO_ENROLLMENT,
    tokens: NO_ENROLLMENT,
    connectors: NO_ENROLLMENT,
    enrollment: YES,
  },
} as const satisfies Readonly<Record<PrincipalKind, Readonly<Record<Right, "yes" | ErrorCode>>>>;
