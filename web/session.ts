import { BASE_PATH } from "../src/contract/version.ts";
import { refusalIn } from "../src/shared/refusal.ts";

/** A session of this tab. It is kept in memory only; a reload makes another. */
export interface Session {
  readonly session: string;
  readonly csrf: string;
  readonly writable: boolean;
  readonly updates: "sse" | "poll";
  /** `identity`: the token says who acts, so the page does not ask. */
  readonly actor_policy: "request" | "identity";
  /** Whom changes are recorded under, if the token says it. */
  readonly actor?: string;
  /** Who the user of the machine probably is. */
  readonly suggested_actor?: string;
}

/** `typed`: by a token that a person typed. `asked`: only a token signs in, and the form is shown. `away`: the daemon does not answer. */
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
 * Signs in: by itself where the daemon gives local pages a session, by the reverse proxy where one is in front, else by
 * the token that a person types. Requests wait until there is a session.
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

  /** The session of this page, also after it has ended; none before the first one and after a logout. */
  last(): Session | undefined {
    return this.#last;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** The session, once there is one. Throws if the daemon does not answer. */
  async session(): Promise<Session> {
    if (this.#state.is === "in") return this.#state.session;
    this.#signing ??= this.#signIn().finally(() => {
      this.#signing = undefined;
    });
    return await this.#signing;
  }

  /** Another session after the daemon refused this one, which ended or was revoked. */
  async after(refused: Session): Promise<Session> {
    if (this.#state.is === "in" && this.#state.session === refused) this.#set({ is: "waiting" });
    return await this.session();
  }

  /** Signs in with a token, which is not kept. Returns why it was refused. */
  async login(token: string): Promise<string | undefined> {
    const answer = await this.#post("login", { token });
    if (!answer.ok) return refusalIn(answer.status, await answer.text()).message;
    const session = (await answer.json()) as Session;
    this.#enter(session, true);
    this.#typed?.(session);
    this.#typed = undefined;
    return undefined;
  }

  /** Ends the session at the daemon too; the page asks for a token then. */
  async logout(): Promise<void> {
    if (this.#state.is !== "in") return;
    const { session } = this.#state;
    this.#last = undefined;
    const headers = { ...sessionHeaders(session), ...changeHeaders(session) };
    this.#set({ is: "waiting" });
    try {
      await this.#fetch(`${BASE_PATH}/ui/session`, { method: "DELETE", headers });
    } finally {
      // The next session is that of a token again, not one by itself.
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

/** What a request that changes something carries beside the session. */
export function changeHeaders({ csrf }: Session): Readonly<Record<string, string>> {
  return { "x-svc-csrf": csrf };
}
