/**
 * What authenticated a request (facts browser-and-auth 1.2). `none`: nothing, since the mode asks for no credential.
 * `static_token` and `bootstrap`: the configured token, in the modes `static` and `identity`. `db_token`: a token of
 * `svc tokens create`. `trusted_proxy` and `trusted_proxy_absent`: a request on a trusted listener with and without the
 * actor header.
 */
export type PrincipalKind =
  | "none"
  | "static_token"
  | "bootstrap"
  | "db_token"
  | "trusted_proxy"
  | "trusted_proxy_absent";
