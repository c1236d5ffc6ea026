import type { Mode } from "../../domain/access/modes.ts";
import { type Authenticate, type Authentication, authenticator } from "./authenticate.ts";
import { type CheckToken, tokenCheck } from "./bearer-check.ts";
import type { Ownership } from "./ownership.ts";
import type { Peers } from "./peer.ts";
import type { Sessions } from "./sessions.ts";

export interface Browser {
  readonly mode: Mode;
  readonly sessions: Sessions;
  readonly ownership: Ownership;
  readonly check: CheckToken;
  /** Authenticates a request by token or trusted proxy, and ignores its session. */
  readonly byToken: Authenticate;
  readonly peers: Peers | undefined;
  /** The probable name of the user who runs the daemon. Only pages on this machine receive it. */
  readonly suggestedActor: string | undefined;
  /** Resolves once the listener for pages is open, with `undefined` if the daemon serves no pages. */
  origin(): Promise<WebOrigin | undefined>;
  /** Like `origin`, but for the origin at which a page of this machine can open a session without a token. */
  localOrigin(): Promise<string | undefined>;
}

export interface WebOrigin {
  readonly origin: string;
  /** True if the settings determine the origin, so that links to it stay valid. */
  readonly stable: boolean;
}

export function browserOf(
  { mode, token, lookup, peers }: Authentication,
  { sessions, ownership }: Pick<Browser, "sessions" | "ownership">,
  suggestedActor: string | undefined,
): Omit<Browser, "origin" | "localOrigin"> {
  const byToken = authenticator({ mode, token, lookup, peers });
  const check = tokenCheck(mode, token, lookup);
  return { mode, sessions, ownership, peers, suggestedActor, byToken, check };
}
