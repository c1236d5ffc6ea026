import type { ErrorBody } from "../src/contract/errors.ts";
import type { Output } from "../src/contract/route.ts";
import type { createLocalWebSession } from "../src/contract/sessions.ts";
import { BASE_PATH } from "../src/contract/version.ts";
import { UnavailableError } from "../src/shared/answer-errors.ts";
import { refusalIn } from "../src/shared/refusal.ts";
import type { ScreenRoutes } from "../src/shared/transport.ts";

type WebSession = Output<typeof createLocalWebSession>;

/**
 * A session of this tab with the daemon. It is kept in memory only, so a reload starts a new one. Each request contains
 * the secret `session`, and each request that changes something contains the secret `csrf` too. Both are absent if the
 * daemon lets everybody read and gives no sessions.
 */
export type Session = Partial<Pick<WebSession, "session" | "csrf">> &
  Pick<WebSession, "writable" | "updates" | "actor_policy" | "actor" | "suggested_actor">;

/**
 * Whether the page is signed in:
 * - `waiting`: not yet.
 * - `in`: yes. `typed` says whether a person typed a token for the session. `times` counts the sessions.
 * - `asked`: a token is needed, and the form for it is shown. `code` says whether a one-time code would do too.
 * - `elsewhere`: the daemon's pages have another origin.
 * - `closed`: no token signs in at this address, and without `code` nobody can.
 * - `away`: the daemon does not answer.
 */
export type SignIn =
  | { readonly is: "waiting" }
  | {
      readonly is: "in";
      readonly session: Session;
      readonly times: number;
      readonly typed: boolean;
    }
  | { readonly is: "asked"; readonly code: boolean }
  | { readonly is: "elsewhere"; readonly origin: string }
  | { readonly is: "closed"; readonly code: boolean }
  | { readonly is: "away"; readonly why: string };

/**
 * Signs in. Requests wait until there is a session. These ways are tried in order, until one of them gives a session:
 * - the session that a local page gets without a token, for which it may need the one-time code of its address
 * - the session of an identity that a reverse proxy vouches for
 * - reading without a session, if everybody may read
 * - a token, for which the person is asked
 */
export class Sessions {
  readonly #fetch: typeof fetch;
  #state: SignIn = { is: "waiting" };
  #times = 0;
  #last: Session | undefined;
  #signing: Promise<Session> | undefined;
  #typed: ((session: Session) => void) | undefined;
  readonly #listeners = new Set<() => void>();
  #code: string | undefined;

  /** `code`: the one-time code that the page's address had. */
  constructor(send: typeof fetch, code?: string) {
    this.#fetch = send;
    this.#code = code;
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

  /** Returns a new session after the daemon has refused the session `refused`, which had ended or was revoked. */
  async after(refused: Session): Promise<Session> {
    if (this.#state.is === "in" && this.#state.session === refused) this.#set({ is: "waiting" });
    return await this.session();
  }

  /** Signs in with a token, which is not kept. Returns the reason of a refusal, or `undefined`. */
  async login(token: string): Promise<string | undefined> {
    const answer = await this.#postSession("login", { token });
    if (!answer.ok) return refusalIn(answer.status, await answer.text()).message;
    const session = (await answer.json()) as Session;
    this.#enter(session, true);
    this.#typed?.(session);
    this.#typed = undefined;
    return undefined;
  }

  /**
   * Signs in with a one-time code that the page's address got after the page was loaded. A page that is signed in does
   * not need it.
   */
  async useCode(code: string): Promise<void> {
    if (this.#state.is === "in") return;
    this.#code = code;
    if (this.#typed === undefined) return;
    const answer = await this.#postLocal();
    if (!answer.ok) return;
    const session = (await answer.json()) as Session;
    this.#enter(session, false);
    this.#typed?.(session);
    this.#typed = undefined;
  }

  /** Ends the session, also at the daemon, and then asks for a token. */
  async logout(): Promise<void> {
    if (this.#state.is !== "in") return;
    const { session } = this.#state;
    this.#last = undefined;
    const headers = { ...sessionHeaders(session), ...changeHeaders(session) };
    // A failure does no harm: the page forgets the session, and the daemon lets it expire.
    const signal = AbortSignal.timeout(LOGOUT_MS);
    const ended = this.#fetch(`${BASE_PATH}/ui/session`, {
      method: "DELETE",
      headers,
      signal,
    }).then(
      () => undefined,
      () => undefined,
    );
    // The next session needs a token again: the page must not sign in by itself right after a logout. Requests that are
    // made before the daemon has answered wait too.
    this.#signing = ended
      .then(async () => await this.#waitForToken(false))
      .finally(() => {
        this.#signing = undefined;
      });
    this.#set({ is: "waiting" });
    await ended;
  }

  async #signIn(): Promise<Session> {
    let origin: unknown;
    let code = false;
    for (const way of [() => this.#postLocal(), () => this.#postSession("proxy", {})]) {
      const answer = await this.#checkAnswer(way());
      if (answer.ok) return this.#enter((await answer.json()) as Session, false);
      origin = dataIn(await answer.text())["origin"];
      // A 404 with this header means that the request had no proof of who the person is. A one-time code would be such
      // a proof.
      code ||= answer.status === 404 && answer.headers.has("x-svc-web-authentication");
    }
    const answer = await this.#checkAnswer(this.#fetch(INSTANCE));
    if (answer.ok && onlyReads(await answer.text())) return this.#enter(READER, false);
    if (typeof origin === "string") return await this.#waitForever({ is: "elsewhere", origin });
    // A proxy may add a token to every request. The daemon ignores the token if the request has the header of a
    // session.
    const headers = sessionHeaders({ ...READER, session: "none" });
    const refused = await this.#checkAnswer(this.#fetch(INSTANCE, { headers }));
    const { takes_token } = dataIn(await refused.text());
    return await this.#waitForToken(code, takes_token === false ? "closed" : "asked");
  }

  /**
   * Returns the answer of a request. If there is no answer, or if the daemon failed, sets the state `away` and throws.
   */
  async #checkAnswer(sent: Promise<Response>): Promise<Response> {
    const answer = await sent.catch((cause: unknown) => {
      const error = new UnavailableError("Nothing answers at this address", { cause });
      this.#set({ is: "away", why: error.message });
      throw error;
    });
    if (answer.status < 500) return answer;
    const error = refusalIn(answer.status, await answer.text());
    this.#set({ is: "away", why: error.message });
    throw error;
  }

  /**
   * Shows why nobody can sign in here. The returned promise never settles, so all requests that need a session wait
   * until the page is left.
   */
  async #waitForever(state: SignIn): Promise<never> {
    this.#set(state);
    return await new Promise(() => undefined);
  }

  /** Asks for a token, and waits until a person has entered one or has opened an address with a one-time code. */
  async #waitForToken(code: boolean, is: "asked" | "closed" = "asked"): Promise<Session> {
    this.#set({ is, code });
    const { promise, resolve } = Promise.withResolvers<Session>();
    this.#typed = resolve;
    // The address may have got a code while the page found out that it needs one.
    if (this.#code !== undefined) await this.useCode(this.#code);
    return await promise;
  }

  /** Asks for a session without a token. A code is sent once, since the daemon takes it once. */
  async #postLocal(): Promise<Response> {
    const code = this.#code;
    this.#code = undefined;
    return await this.#postSession("local", code === undefined ? {} : { code });
  }

  async #postSession(way: string, body: object): Promise<Response> {
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

/** How long the form waits for the daemon's answer to a logout. */
const LOGOUT_MS = 10_000;

const INSTANCE = `${BASE_PATH}/instance`;

/** The rights of a page without a session, where everybody may read. */
const READER: Session = { writable: false, updates: "poll", actor_policy: "request" };

function onlyReads(instance: string): boolean {
  const { auth } = JSON.parse(instance) as Output<ScreenRoutes["instance"]>;
  return auth.read_only !== undefined;
}

/** The `data` of a refusal; empty if the answer is no refusal. */
function dataIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) as Partial<ErrorBody>).error?.data ?? {};
  } catch {
    return {};
  }
}

export function sessionHeaders({ session }: Session): Readonly<Record<string, string>> {
  return session === undefined ? {} : { "x-svc-web-session": session };
}

/** The headers that a request which changes something needs besides those of the session. */
export function changeHeaders({ csrf }: Session): Readonly<Record<string, string>> {
  return csrf === undefined ? {} : { "x-svc-csrf": csrf };
}
