import type { ErrorCode } from "./error-codes.ts";

/** The error codes of every route. */
export const COMMON_ERRORS = [
  "validation",
  "host_invalid",
  "origin_forbidden",
  "internal",
  "unavailable",
  "outcome_unknown",
  "busy",
  "daemon_stopping",
] as const satisfies readonly ErrorCode[];

/** Codes for a missing or insufficient credential: a token, or the session of a page. */
const TOKEN_ERRORS = [
  "auth_required",
  "auth_invalid",
  "token_invalid",
  "web_session_required",
  "web_local_operation_forbidden",
  "read_only",
  "csrf_invalid",
] as const;

/** Error codes of a write to a project of which this daemon has only a copy. */
const FEDERATION_ERRORS = ["federated_read_only", "federated_admin_required"] as const;

/** Error codes of a write to an issue that an external root owns (docs/contract/connectors.md#51-what-a-root-forbids). */
const ROOT_ERRORS = [
  "external_root_content_owned",
  "external_comment_content_owned",
  "external_root_claim_active",
] as const;

/** The error codes of a route that follow from its access (`Access` in route.ts), in addition to its own codes. */
export const ACCESS_ERRORS = {
  open: [],
  read: TOKEN_ERRORS,
  stream: TOKEN_ERRORS,
  write: [
    ...TOKEN_ERRORS,
    "bootstrap_token_write_forbidden",
    "actor_header_required",
    ...FEDERATION_ERRORS,
    ...ROOT_ERRORS,
  ],
  tokens: [...TOKEN_ERRORS, "token_admin_forbidden"],
  connectors: [...TOKEN_ERRORS, "integration_administration_forbidden"],
  enrollment: ["auth_required", "auth_invalid"],
} as const satisfies Readonly<Record<string, readonly ErrorCode[]>>;

/** The further error codes of a route with a body. */
export const BODY_ERRORS = [
  "request_timeout",
  "payload_too_large",
  "unsupported_media_type",
] as const satisfies readonly ErrorCode[];
