import { systemClock } from "../base/clock.ts";
import type { Config } from "../config/load.ts";
import type { Workspace } from "../config/workspace.ts";
import { isRefusal, requireNoRedirect, unavailable } from "./faults.ts";
import { HttpClient, type HttpResponse, type HttpStream } from "./http/client.ts";
import type { HttpRequest } from "./http/request.ts";
import type { ResponseHead } from "./http/response.ts";
import { TransportFault } from "./http/transport-fault.ts";
import { type Endpoint, locate } from "./locate.ts";
import { nameOf, type Outgoing, timeoutOf } from "./outgoing.ts";
import type { Program } from "./program.ts";
import { type Selection, type SelectOptions, select } from "./select.ts";
import { requireAllowed, requireTrusted, type Target, type Token, tokenFor } from "./target.ts";

/** A selected daemon, and the program that may start it if it is this machine's own. */
export interface ClientSelection extends Selection {
  readonly program: Program;
}

export interface ClientOptions extends SelectOptions {
  readonly program: Program;
  /** If `false`, no local daemon is started. Default: `true`. */
  readonly autostart?: boolean;
}

export async function openClient(options: ClientOptions): Promise<Client> {
  const { program, autostart = true } = options;
  return new Client({ ...(await select(options)), program }, autostart);
}

/**
 * The maximum number of times that a request is sent if the daemon refuses it as busy. The daemon takes two seconds for
 * each refusal, so all tries take about half a minute.
 */
const BUSY_TRIES = 15;
const BUSY_WAIT_MS = 100;

const MOST_MADE = 16;

/** The maximum number of times that a request is sent to another daemon because the daemon has ended or is stopping. */
const MAX_RELOCATIONS = 3;

/** Sends calls to the selected daemon. The first call finds this daemon, or starts it if it is a local daemon. */
export class Client implements ClientSelection {
  readonly config: Config;
  readonly workspace: Workspace;
  readonly target: Target;
  readonly program: Program;
  readonly warnings: readonly string[];
  /** The answers to the most recent changes. If a command cannot print its result, it names these changes. */
  readonly made: Buffer[] = [];
  readonly #autostart: boolean;
  readonly #longestWaitMs: number;
  readonly #dismissed: string[] = [];
  readonly #ahead = new Map<string, Promise<HttpResponse>>();
  #link: Promise<Link> | undefined;
  #bearer: Headers | undefined;
  #starts = true;
  #hasStarted = false;

  /** `longestWaitMs` also limits requests that may take minutes. */
  constructor(
    { config, workspace, target, program, warnings }: ClientSelection,
    autostart: boolean,
    longestWaitMs = Number.POSITIVE_INFINITY,
  ) {
    this.config = config;
    this.workspace = workspace;
    this.target = target;
    this.program = program;
    this.warnings = warnings;
    this.#autostart = autostart;
    this.#longestWaitMs = longestWaitMs;
    requireAllowed(config, target);
  }

  async endpoint(): Promise<Endpoint> {
    return (await this.#connect(this.#starts)).endpoint;
  }

  /** Stores the answer to a change. Only the most recent answers are kept. */
  keepMade(answer: Buffer): void {
    if (this.made.push(answer) > MOST_MADE) this.made.shift();
  }

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** After this call, only a request with `start: true` starts a daemon. */
  startNoMore(): void {
    this.#starts = false;
  }

  /**
   * Sends a read before its answer is needed. The next equal request gets this answer, even if the answer is old by
   * then. Resolves once the answer has arrived or the request has failed.
   */
  async ahead(request: Outgoing): Promise<void> {
    const answer = this.#send(request);
    this.#ahead.set(nameOf(request), answer);
    await answer.catch(() => undefined);
  }

  /** Sends a request and reads the whole answer, whatever its status. Throws `UnavailableError` if no answer comes. */
  async send(request: Outgoing): Promise<HttpResponse> {
    const early = this.#ahead.get(nameOf(request));
    if (early === undefined) return await this.#send(request);
    this.#ahead.delete(nameOf(request));
    return await early;
  }

  /**
   * Sends a request, and sends it again while the daemon refuses it as busy. This is safe even for a write, because a
   * refused write was not carried out.
   */
  async #send(request: Outgoing): Promise<HttpResponse> {
    for (let tried = 1; ; tried++) {
      const answer = await this.#sendOnce(request);
      if (!isRefusal(answer, "busy") || tried === BUSY_TRIES) return answer;
      await systemClock.sleep(BUSY_WAIT_MS);
    }
  }

  async #sendOnce(request: Outgoing): Promise<HttpResponse> {
    const timeoutMs = Math.min(timeoutOf(request, this.config), this.#longestWaitMs);
    return await this.#withLink(request, async (link, bearer) => {
      const { http, endpoint } = link;
      // A request that must not be sent twice gets a new connection. The daemon may close a kept-alive connection just
      // when it is used, and then nobody knows whether the request was read. Over TLS a new connection would take too
      // long.
      const fresh = !request.repeatable && endpoint.scheme === "http";
      return await http.request(
        httpRequest(request, link, bearer),
        timeoutMs,
        fresh,
        request.signal,
      );
    });
  }

  /** Sends a request and returns the answer as a stream. The time limit applies only to the head of the answer. */
  async stream(request: Outgoing, headTimeoutMs: number, signal: AbortSignal): Promise<HttpStream> {
    return await this.#withLink(request, async (link, bearer) => {
      return await link.http.stream(httpRequest(request, link, bearer), headTimeoutMs, signal);
    });
  }

  async close(): Promise<void> {
    const link = this.#link;
    this.#link = undefined;
    if (link !== undefined) (await link.catch(() => undefined))?.http.close();
  }

  async #connect(start: boolean): Promise<Link> {
    const link = (this.#link ??= this.#open(start));
    try {
      return await link;
    } catch (error) {
      // Without a link, the next call locates the daemon again.
      if (this.#link === link) this.#link = undefined;
      throw error;
    }
  }

  async #open(start: boolean): Promise<Link> {
    requireTrusted(this.config, this.target);
    const endpoint = await locate(this.config, this.target, this.program, {
      start: start && this.#autostart,
      dismissed: this.#dismissed,
    });
    this.#hasStarted = endpoint.started === true;
    const headers = { Host: endpoint.hostHeader, Accept: "application/json" };
    const path = this.target.kind === "remote" ? (this.target.path ?? "") : "";
    return { endpoint, http: new HttpClient(endpoint.dial), headers, path };
  }

  /** Throws if the target may not be called. Returns the header with the token for the target. */
  #authorize(): Headers {
    requireAllowed(this.config, this.target);
    return (this.#bearer ??= bearerHeader(tokenFor(this.config, this.target)));
  }

  /**
   * Runs `work` with a link to the daemon, and runs it again in these cases:
   * - A local daemon ended before it received the request, or answers that it is stopping. Another daemon is then found
   *   or started.
   * - The connection failed later, so that the request may have been carried out, and the request is `repeatable`.
   */
  async #withLink<T extends ResponseHead>(
    request: Outgoing,
    work: (link: Link, bearer: Headers) => Promise<T>,
  ): Promise<T> {
    let relocations = 0;
    let repeated = false;
    for (;;) {
      const bearer = this.#authorize();
      const link = await this.#connect(request.start ?? this.#starts);
      try {
        const answer = await work(link, bearer);
        requireNoRedirect(answer, link.endpoint);
        if (!isRefusal(answer, "daemon_stopping") || !this.#mayRelocate(link, relocations))
          return answer;
        relocations++;
      } catch (error) {
        request.signal?.throwIfAborted();
        if (!(error instanceof TransportFault)) throw error;
        if (error.kind === "unsent" && this.#mayRelocate(link, relocations)) relocations++;
        else if (error.kind === "lost" && request.repeatable && !repeated) {
          repeated = true;
          continue;
        } else throw unavailable(error, link.endpoint, request);
      }
      this.#leaveLink(link);
    }
  }

  #mayRelocate({ endpoint }: Link, relocations: number): boolean {
    return endpoint.kind === "local" && relocations < MAX_RELOCATIONS;
  }

  #leaveLink({ endpoint, http }: Link): void {
    http.close();
    if (endpoint.record !== undefined) this.#dismissed.push(endpoint.record);
    this.#link = undefined;
  }
}

interface Link {
  readonly endpoint: Endpoint;
  readonly http: HttpClient;
  readonly headers: Headers;
  /**
   * The path of the daemon's URL, for example behind a proxy. It is put before the target of each request, and may be
   * empty.
   */
  readonly path: string;
}

type Headers = Readonly<Record<string, string>>;

/**
 * Returns the request with the headers for the daemon and the token. The token is added only here, so it goes only to
 * the address of the link. If the request has its own Authorization header, the request keeps that header and gets no
 * token.
 */
function httpRequest(request: Outgoing, { headers, path }: Link, bearer: Headers): HttpRequest {
  const own = Object.keys(request.headers).some((name) => name.toLowerCase() === "authorization");
  const target = path + request.target;
  const all = { ...headers, ...(own ? {} : bearer), ...request.headers };
  return { ...request, target, headers: all };
}

function bearerHeader(token: Token | undefined): Headers {
  return token === undefined ? {} : { Authorization: `Bearer ${token.text}` };
}
