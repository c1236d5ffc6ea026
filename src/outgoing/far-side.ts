import http from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import type { Clock } from "../base/clock.ts";
import { invariant } from "../base/invariant.ts";
import { ACCEPT_ENCODING } from "./body.ts";
import { exchange, type OutgoingAnswer } from "./exchange.ts";
import { OutgoingFault } from "./fault.ts";
import { pinnedLookup, type Resolve } from "./pinned-address.ts";
import { baseOf, type Place } from "./place.ts";
import { type Redact, redactor } from "./redact.ts";
import { isRedirect, MOST_REDIRECTS, redirectTarget } from "./redirect.ts";

export interface OutgoingRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** A path, or a whole URL of the same origin, such as that of a next page. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The time limit from the first name lookup to the last byte of the answer, redirects included. */
  readonly maxMs: number;
  /** The limit for the body of the answer, as it is returned. */
  readonly maxBytes: number;
  /** True: the body is returned compressed if it was sent so (`isGzip`), and another thread decompresses it. */
  readonly compressed?: boolean;
  /**
   * `same-origin`: redirects within the origin are followed, others are faults. `answer`: a redirect is returned like
   * any other answer. Without a value, every redirect is a fault.
   */
  readonly redirects?: "same-origin" | "answer";
  /** True if a POST or PATCH may be carried out twice. Requests with other methods always may. */
  readonly repeatable?: boolean;
  readonly signal?: AbortSignal;
}

/** Headers that a caller may not set, because this client sets them itself or because they could contain a secret. */
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
 * The daemon's client for one far side (a server of another system). It sends requests to one origin only, so that the
 * bearer token goes nowhere else. The daemon uses no other client for requests to other machines.
 */
export class FarSide {
  readonly #clock: Clock;
  readonly #base: URL;
  readonly #bearer: string | undefined;
  readonly #agent: http.Agent;
  readonly #lookup: LookupFunction | undefined;
  /** Removes the bearer and other secrets from a text that is logged or shown. */
  readonly redact: Redact;

  /** Throws `validation` if no request may be sent to the place. */
  constructor(
    { clock, resolve }: { readonly clock: Clock; readonly resolve?: Resolve },
    place: Place,
  ) {
    this.#clock = clock;
    this.#base = baseOf(place);
    this.#bearer = place.bearer;
    this.redact = redactor(place.bearer === undefined ? [] : [place.bearer]);
    const { Agent } = this.#base.protocol === "https:" ? https : http;
    this.#agent = new Agent({ keepAlive: true });
    this.#lookup = place.pinned === true ? pinnedLookup(resolve) : undefined;
  }

  /** Returns the answer, whatever its status. Throws `OutgoingFault` if there is none. */
  async send(request: OutgoingRequest): Promise<OutgoingAnswer> {
    const headers = this.#headersOf(request);
    let url = this.#urlOf(request.url);
    return await this.#withinLimit(request, async (signal) => {
      for (let followed = 0; ; followed++) {
        const answer = await exchange({
          ...{ url, headers, signal, agent: this.#agent, redact: this.redact },
          ...{ method: request.method, body: request.body, maxBytes: request.maxBytes },
          compressed: request.compressed,
          lookup: this.#lookup,
        });
        if (!isRedirect(answer) || request.redirects === "answer") return answer;
        const isLast = request.redirects === undefined || followed === MOST_REDIRECTS;
        url = redirectTarget(answer, { from: url, method: request.method, isLast });
      }
    });
  }

  /** The body of an answer as text, without secrets, for logs and messages. */
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

  /** Runs the work until the time limit of the request. Aborts it then, or when the caller aborts. */
  async #withinLimit<T>(
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
