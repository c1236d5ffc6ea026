import http from "node:http";
import https from "node:https";
import type { Clock } from "../base/clock.ts";
import { invariant } from "../base/invariant.ts";
import { ACCEPT_ENCODING } from "./body.ts";
import { exchange, type OutgoingAnswer } from "./exchange.ts";
import { OutgoingFault } from "./fault.ts";
import { baseOf, type Place } from "./place.ts";
import { type Redact, redactor } from "./redact.ts";
import { isRedirect, MOST_REDIRECTS, redirectTarget } from "./redirect.ts";

export interface OutgoingRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** A path, or a whole URL of the same origin, such as that of a next page. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The time limit from the first name that is looked up to the last byte of the answer, redirects included. */
  readonly maxMs: number;
  /** The size limit of the answer's body, without its compression. */
  readonly maxBytes: number;
  /**
   * `same-origin` follows redirects within the origin. `answer` follows none and returns them as they are. Otherwise,
   * and to other origins, they are faults.
   */
  readonly redirects?: "same-origin" | "answer";
  /** True if a POST or PATCH may be carried out twice; the other methods always may. */
  readonly repeatable?: boolean;
  readonly signal?: AbortSignal;
}

/** Headers that belong to this client, or that would carry a secret past it. */
const RESERVED = new Set([
  "accept-encoding",
  "authorization",
  "connection",
  "content-length",
  "cookie",
  "expect",
  "host",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * The daemon's client of one far side. It asks one origin only, so that the bearer goes nowhere else. It is the only
 * way in which the daemon asks another machine.
 */
export class FarSide {
  readonly #clock: Clock;
  readonly #base: URL;
  readonly #bearer: string | undefined;
  readonly #agent: http.Agent;
  /** Removes the bearer and other secrets from a text that is logged or shown. */
  readonly redact: Redact;

  /** Throws `validation` for a place that may not be asked. */
  constructor({ clock }: { readonly clock: Clock }, place: Place) {
    this.#clock = clock;
    this.#base = baseOf(place);
    this.#bearer = place.bearer;
    this.redact = redactor(place.bearer === undefined ? [] : [place.bearer]);
    const { Agent } = this.#base.protocol === "https:" ? https : http;
    this.#agent = new Agent({ keepAlive: true });
  }

  /** Returns the answer, whatever its status. Throws `OutgoingFault` if there is none. */
  async send(request: OutgoingRequest): Promise<OutgoingAnswer> {
    const headers = this.#headersOf(request);
    let url = this.#urlOf(request.url);
    return await this.#within(request, async (signal) => {
      for (let followed = 0; ; followed++) {
        const answer = await exchange({
          ...{ url, headers, signal, agent: this.#agent, redact: this.redact },
          ...{ method: request.method, body: request.body, maxBytes: request.maxBytes },
        });
        if (!isRedirect(answer) || request.redirects === "answer") return answer;
        const isLast = request.redirects === undefined || followed === MOST_REDIRECTS;
        url = redirectTarget(answer, { from: url, method: request.method, isLast });
      }
    });
  }

  /** What the far side says in the body of an answer, to be logged or shown. */
  textOf({ body }: OutgoingAnswer): string {
    return this.redact(body.toString("utf8"));
  }

  /** Ends the connections that are kept for further requests. */
  close(): void {
    this.#agent.destroy();
  }

  #urlOf(text: string): URL {
    const url = URL.canParse(text, this.#base.href) ? new URL(text, this.#base) : undefined;
    const isOurs = url?.origin === this.#base.origin && url.username === "" && url.password === "";
    if (url !== undefined && isOurs) return url;
    const where =
      url === undefined || url.origin === "null"
        ? "that is no http URL"
        : `at ${this.redact(url.origin)}`;
    const message = `only ${this.#base.origin} is asked, not an address ${where}`;
    throw new OutgoingFault("elsewhere", message, false);
  }

  #headersOf({ headers: own = {} }: OutgoingRequest): Readonly<Record<string, string>> {
    for (const [name, value] of Object.entries(own)) {
      invariant(!RESERVED.has(name.toLowerCase()), `${name} is a header of the client`);
      if (/^[\w-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value)) continue;
      throw new OutgoingFault("unsent", "a header holds a character that cannot be sent", false);
    }
    const bearer = this.#bearer;
    return {
      "user-agent": "svc",
      "accept-encoding": ACCEPT_ENCODING,
      ...own,
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    };
  }

  /** Aborts the work after the time limit of the request, or when the caller does. */
  async #within<T>(
    { maxMs, signal: caller }: OutgoingRequest,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const [late, done] = [new AbortController(), new AbortController()];
    void this.#clock.sleep(maxMs, done.signal).then(() => {
      if (!done.signal.aborted) late.abort();
    });
    try {
      return await work(AbortSignal.any([late.signal, ...(caller === undefined ? [] : [caller])]));
    } catch (error) {
      if (!(error instanceof OutgoingFault)) throw error;
      if (caller?.aborted === true)
        throw new OutgoingFault("stopped", "the request was stopped", error.sent, error);
      if (!late.signal.aborted) throw error;
      const message = `${this.#base.origin} has not answered within ${maxMs / 1000} s`;
      throw new OutgoingFault("timeout", message, error.sent, error);
    } finally {
      done.abort();
    }
  }
}
