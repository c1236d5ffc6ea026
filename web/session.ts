import { BASE_PATH } from "../src/contract/version.ts";
import { refusalIn } from "../src/shared/refusal.ts";

/** A session of this tab with the daemon. It is kept in memory only; a reload starts a new one. */
export interface Session {
  readonly session: string;
  readonly csrf: string;
  readonly writable: boolean;
  readonly updates: "sse" | "poll";
  /** `identity`: the token decides who acts, so the page does not ask. `request`: each request names the actor. */
  readonly actor_policy: "request" | "identity";
  /** The actor, if the token decides it. */
  readonly actor?: string;
  /** The daemon's guess at the name of the machine's user. */
  readonly suggested_actor?: string;
}

/**
 * Whether the page is signed in. `waiting`: not yet. `in`: yes; `typed` says whether a person typed a token for it, and
 * `times` counts the sessions. `asked`: a token is needed, and the form for it is shown. `away`: the daemon does not
 * answer.
 */
export type SignIn =
  | { readonly is: "waiting" }
  | {
      readonly is: "in";
      readonly session: Session;
      readonly times: number;
      readonly typed: boolean;
    }
  | { readonly is: "asked" }
  | { readonly is: "away"; readonly why: string };

/**
 * Signs in. It first asks the daemon for the session that a local page gets without a token, then for the session of an
 * identity that a reverse proxy vouches for, and then asks the person for a token. Requests wait until there is a
 * session.
 */
export class Sessions {
  readonly #fetch: typeof fetch;
  #state: SignIn = { is: "waiting" };
  #times = 0;
  #last: Session | undefined;
  #signing: Promise<Session> | undefined;
  #typed: ((session: Session) => void) | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(send: typeof fetch) {
    this.#fetch = send;
  }

  get = (): SignIn => this.#state;

  /** The last session of this page, which may have ended; `undefined` before the first one and after a logout. */
  last(): Session | undefined {
    return this.#last;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Returns the session, and waits until there is one. Throws if the daemon does not answer. */
  async session(): Promise<Session> {
    if (this.#state.is === "in") return this.#state.session;
    this.#signing ??= this.#signIn().finally(() => {
      this.#signing = undefined;
    });
    return await this.#signing;
  }

  /** Returns a new session, after the daemon refused `refused` because it had ended or was revoked. */
  async after(refused: Session): Promise<Session> {
    if (this.#state.is === "in" && this.#state.session === refused) this.#set({ is: "waiting" });
    return await this.session();
  }

  /** Signs in with a token, which is not kept. Returns the reason of a refusal, or `undefined`. */
  async login(token: string): Promise<string | undefined> {
    const answer = await this.#post("login", { token });
    if (!answer.ok) return refusalIn(answer.status, await answer.text()).message;
    const session = (await answer.json()) as Session;
    this.#enter(session, true);
    this.#typed?.(session);
    this.#typed = undefined;
    return undefined;
  }

  /** Ends the session, also at the daemon, and then asks for a token. */
  async logout(): Promise<void> {
    if (this.#state.is !== "in") return;
    const { session } = this.#state;
    this.#last = undefined;
    const headers = { ...sessionHeaders(session), ...changeHeaders(session) };
    this.#set({ is: "waiting" });
    try {
      await this.#fetch(`${BASE_PATH}/ui/session`, { method: "DELETE", headers });
    } finally {
      // The next session needs a token again: the page must not sign in by itself right after a logout.
      this.#signing = this.#asked().finally(() => {
        this.#signing = undefined;
      });
    }
  }

  async #signIn(): Promise<Session> {
    for (const way of ["local", "proxy"]) {
      const answer = await this.#post(way, {}).catch((error: unknown) => {
        this.#set({ is: "away", why: String(error) });
        throw error;
      });
      if (answer.ok) return this.#enter((await answer.json()) as Session, false);
      if (answer.status >= 500) {
        const error = refusalIn(answer.status, await answer.text());
        this.#set({ is: "away", why: error.message });
        throw error;
      }
    }
    return await this.#asked();
  }

  /** Waits until a person has typed a token. */
  async #asked(): Promise<Session> {
    this.#set({ is: "asked" });
    const { promise, resolve } = Promise.withResolvers<Session>();
    this.#typed = resolve;
    return await promise;
  }

  async #post(way: string, body: object): Promise<Response> {
    return await this.#fetch(`${BASE_PATH}/ui/session/${way}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  #enter(session: Session, typed: boolean): Session {
    this.#times += 1;
    this.#last = session;
    this.#set({ is: "in", session, times: this.#times, typed });
    return session;
  }

  #set(state: SignIn): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

export function sessionHeaders({ session }: Session): Readonly<Record<string, string>> {
  return { "x-svc-web-session": session };
}

/** If a request changes something, it needs these headers besides those of the session. */
export function changeHeaders({ csrf }: Session): Readonly<Record<string, string>> {
  return { "x-svc-csrf": csrf };
}
