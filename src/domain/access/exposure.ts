import type { Mode } from "./modes.ts";
import { type AccessRequest, judgeRequest } from "./requests.ts";
import type { Right } from "./rights.ts";

/**
 * A credential of a request.
 * - `none`: the request needs no credential.
 * - `daemon_token`: the token in `[auth] token`.
 * - `person_token`: a token that `svc tokens create` made.
 */
export type Credential = "none" | "daemon_token" | "person_token";

/** For each right, the credentials that give it. An empty list means that no credential gives it. */
export interface Exposure {
  readonly read: readonly Credential[];
  readonly follow: readonly Credential[];
  readonly write: readonly Credential[];
  readonly administer: readonly Credential[];
  /** What names the actor of a write: the request, its token, or the proxy's actor header. */
  readonly writes_as: "request" | "token" | "header";
}

/**
 * Returns which credentials give each right on a listener. It asks `judgeRequest`, so it always agrees with how the
 * listener treats requests.
 */
export function exposureOf(mode: Mode, proxied: boolean): Exposure {
  const credentialsFor = (right: Right, gets: readonly boolean[]): readonly Credential[] =>
    BEARERS.filter(([bearer]) =>
      gets.every((get) => {
        const proxy = proxied ? "present" : "untrusted";
        return typeof judgeRequest({ mode, right, get, bearer, proxy }) === "string";
      }),
    )
      .map(([, credential]) => credential)
      // If no credential is needed, tokens are not listed.
      .filter((credential, _, all) => credential === "none" || !all.includes("none"));
  return {
    read: credentialsFor("read", [true]),
    follow: credentialsFor("stream", [true]),
    write: credentialsFor("write", [false]),
    administer: credentialsFor("tokens", [true, false]),
    writes_as: proxied ? "header" : mode === "identity" ? "token" : "request",
  };
}

const BEARERS: readonly (readonly [AccessRequest["bearer"], Credential])[] = [
  ["none", "none"],
  ["configured", "daemon_token"],
  ["database", "person_token"],
];
