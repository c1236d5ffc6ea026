import type { Mode } from "./modes.ts";
import { type Asked, judgeRequest } from "./requests.ts";
import type { Right } from "./rights.ts";

/** What a request needs to have: nothing, the token of `[auth] token`, or one of `svc tokens create`. */
export type Credential = "none" | "daemon_token" | "person_token";

/** With which credentials each right is had; with none of them where a list is empty. */
export interface Exposure {
  readonly read: readonly Credential[];
  readonly follow: readonly Credential[];
  readonly write: readonly Credential[];
  readonly administer: readonly Credential[];
  /** Whose name a write carries: the one that it says, the one of its token, or the one in the proxy's header. */
  readonly writes_as: "request" | "token" | "header";
}

/** What can be had through a listener, by the table that judges its requests. */
export function exposureOf(mode: Mode, proxied: boolean): Exposure {
  const by = (right: Right, gets: readonly boolean[]): readonly Credential[] =>
    BEARERS.filter(([bearer]) =>
      gets.every((get) => {
        const proxy = proxied ? "present" : "untrusted";
        return typeof judgeRequest({ mode, right, get, bearer, proxy }) === "string";
      }),
    )
      .map(([, credential]) => credential)
      // Where nothing is needed, a token is no way of its own.
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
