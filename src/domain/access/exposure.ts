import type { Mode } from "./modes.ts";
import { type Asked, judgeRequest } from "./requests.ts";
import type { Right } from "./rights.ts";

/** What a request must have: nothing, the token of `[auth] token`, or a token made by `svc tokens create`. */
export type Credential = "none" | "daemon_token" | "person_token";

/** For each right, the credentials that give it. An empty list means that no credential gives it. */
export interface Exposure {
  readonly read: readonly Credential[];
  readonly follow: readonly Credential[];
  readonly write: readonly Credential[];
  readonly administer: readonly Credential[];
  /** Which actor a write gets: the one that the request names, that of its token, or the one in the proxy's header. */
  readonly writes_as: "request" | "token" | "header";
}

/** Returns the rights that a listener gives, by the same table that decides about its requests. */
export function exposureOf(mode: Mode, proxied: boolean): Exposure {
  const by = (right: Right, gets: readonly boolean[]): readonly Credential[] =>
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
    read: by("read", [true]),
    follow: by("stream", [true]),
    write: by("write", [false]),
    administer: by("tokens", [true, false]),
    writes_as: proxied ? "header" : mode === "identity" ? "token" : "request",
  };
}

const BEARERS: readonly (readonly [Asked["bearer"], Credential])[] = [
  ["none", "none"],
  ["configured", "daemon_token"],
  ["database", "person_token"],
];
