import { systemClock } from "../base/clock.ts";
import { type Env, processEnv, processFolder } from "../config/env.ts";
import { type Config, type ConfigInput, loadConfig } from "../config/load.ts";
import { readWorkspace, type Workspace } from "../config/workspace.ts";
import { ERRORS } from "../contract/errors.ts";
import { UnavailableError, unansweredMessage } from "../shared/answer-errors.ts";
import { HttpClient, type HttpResponse, type HttpStream, TransportFault } from "./http/client.ts";
import type { HttpRequest } from "./http/request.ts";
import { type Endpoint, locate } from "./locate.ts";
import type { Program } from "./program.ts";
import { requireTrusted, selectTarget, type Target, tokenFor } from "./target.ts";

export interface ClientOptions {
  readonly program: Program;
  /** Where the search for workspace files starts. */
  readonly start: string;
  readonly cwd?: string;
  readonly env?: Env;
  /** `--daemon`. */
  readonly daemon?: string;
  readonly flags?: ConfigInput["flags"];
  /** Whether a local daemon that does not run is started; `true` unless said. */
  readonly autostart?: boolean;
}

/** What is selected, known before any daemon is looked for. */
export interface Selection {
  readonly config: Config;
  readonly workspace: Workspace;
  readonly target: Target;
  readonly program: Program;
  /** For stderr. */
  readonly warnings: readonly string[];
}

export interface Outgoing extends HttpRequest {
  /** The route's id. */
  readonly id: string;
  /** Whether it changes something; then a lost answer leaves open whether it did. */
  readonly changes: boolean;
  /** The daemon may get it twice: a reading, or a change that carries an idempotency key. */
  readonly repeatable: boolean;
  /** The answer may take minutes (`Route.lengthy`). */
  readonly lengthy?: boolean;
  /** Whether a daemon that is not there is started for this; unless said, as long as the client starts any. */
  readonly start?: boolean;
}

/** Reads the settings and selects the daemon; nothing is started or asked yet, and no token is read. */
export async function select(options: ClientOptions): Promise<Selection> {
  const { env = processEnv(), cwd = processFolder(), flags = {}, start, program } = options;
  const config = await loadConfig({ env, cwd, flags });
  const workspace = await readWorkspace(start, env);
  const target = selectTarget(config, workspace, options.daemon);
  return {
    config,
    workspace,
    target,
    program,
    warnings: [...config.warnings, ...workspace.warnings],
  };
}

export async function openClient(options: ClientOptions): Promise<Client> {
  return new Client(await select(options), options.autostart ?? true);
}

/** A write waits up to two seconds in the daemon before it is refused as busy: half a minute of a long import. */
const BUSY_TRIES = 15;
const BUSY_WAIT_MS = 100;

/** What the daemon does in one piece and cannot do faster: tens of thousands of issues on a slow machine. */
const LENGTHY_MS = 600_000;

/** How often a daemon that went away under a request is looked for again. */
const MAX_RELOCATIONS = 3;

/** Calls to the selected daemon. It is found, and where it is ours started, by the first of them. */
export class Client implements Selection {
  readonly config: Config;
  readonly workspace: Workspace;
  readonly target: Target;
  readonly program: Program;
  readonly warnings: readonly string[];
  readonly #autostart: boolean;
  readonly #dismissed: string[] = [];
  readonly #ahead = new Map<string, Promise<HttpResponse>>();
  #link: Promise<Link> | undefined;
  #starts = true;
  #hasStarted = false;

  constructor({ config, workspace, target, program, warnings }: Selection, autostart: boolean) {
    this.config = config;
    this.workspace = workspace;
    this.target = target;
    this.program = program;
    this.warnings = warnings;
    this.#autostart = autostart;
  }

  async endpoint(): Promise<Endpoint> {
    return (await this.#connect(this.#starts)).endpoint;
  }

  /** Whether the daemon that is called was not there before this client asked for it. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** From now on a daemon that went away is started only by a request that says so. */
  startNoMore(): void {
    this.#starts = false;
  }

  /**
   * A reading that will surely be asked for soon: whoever sends the same first gets this answer, however old it is by
   * then. Done when the answer is there, whatever it says.
   */
  async ahead(request: Outgoing): Promise<void> {
    const answer = this.#send(request);
    this.#ahead.set(nameOf(request), answer);
    await answer.catch(() => undefined);
  }

  /** One request and its whole answer, whatever its status. Throws `UnavailableError` where there is none. */
  async send(request: Outgoing): Promise<HttpResponse> {
    const early = this.#ahead.get(nameOf(request));
    if (early === undefined) return await this.#send(request);
    this.#ahead.delete(nameOf(request));
    return await early;
  }

  /** What was refused as busy was surely not carried out: it is sent again, change or not. */
  async #send(request: Outgoing): Promise<HttpResponse> {
    for (let tried = 1; ; tried++) {
      const answer = await this.#sendOnce(request);
      if (!isRefusal(answer, "busy") || tried === BUSY_TRIES) return answer;
      await systemClock.sleep(BUSY_WAIT_MS);
    }
  }

  async #sendOnce(request: Outgoing): Promise<HttpResponse> {
    const timeoutMs = timeoutOf(request, this.config);
    return await this.#withLink(request, async ({ http, headers, endpoint }) => {
      const whole = { ...request, headers: { ...headers, ...request.headers } };
      // A new connection costs nothing on this machine; over TLS it is several round trips.
      const fresh = !request.repeatable && endpoint.scheme === "http";
      return await http.request(whole, timeoutMs, fresh);
    });
  }

  /** A request whose answer is read as it comes; the time limit is for its head only. */
  async stream(request: Outgoing, headTimeoutMs: number, signal: AbortSignal): Promise<HttpStream> {
    return await this.#withLink(request, async ({ http, headers }) => {
      const whole = { ...request, headers: { ...headers, ...request.headers } };
      return await http.stream(whole, headTimeoutMs, signal);
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
      // Looked for anew by the next call.
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
    const token = tokenFor(this.config, this.target);
    const bearer = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const headers = { Host: endpoint.hostHeader, Accept: "application/json", ...bearer };
    return { endpoint, http: new HttpClient(endpoint.dial), headers };
  }

  /**
   * A local daemon can end between two calls of ours. Where it has seen nothing of the request, or says that it is
   * stopping, the next one is found or started and gets it. What may have been acted on is sent again only if that is
   * harmless.
   */
  async #withLink<T extends { readonly status: number }>(
    request: Outgoing,
    work: (link: Link) => Promise<T>,
  ): Promise<T> {
    let relocations = 0;
    let repeated = false;
    for (;;) {
      const link = await this.#connect(request.start ?? this.#starts);
      try {
        const answer = await work(link);
        if (!isRefusal(answer, "daemon_stopping") || !this.#mayRelocate(link, relocations))
          return answer;
        relocations++;
      } catch (error) {
        if (!(error instanceof TransportFault)) throw error;
        if (error.kind === "unsent" && this.#mayRelocate(link, relocations)) relocations++;
        else if (error.kind === "lost" && request.repeatable && !repeated) {
          repeated = true;
          continue;
        } else throw unavailable(error, link.endpoint, request);
      }
      this.#leave(link);
    }
  }

  #mayRelocate({ endpoint }: Link, relocations: number): boolean {
    return endpoint.kind === "local" && relocations < MAX_RELOCATIONS;
  }

  #leave({ endpoint, http }: Link): void {
    http.close();
    if (endpoint.record !== undefined) this.#dismissed.push(endpoint.record);
    this.#link = undefined;
  }
}

interface Link {
  readonly endpoint: Endpoint;
  readonly http: HttpClient;
  /** Of every request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What two requests have in common that ask for the same. */
function nameOf({ method, target, body = "" }: Outgoing): string {
  return `${method} ${target} ${body}`;
}

/** A limit that somebody set counts for every request. */
export function timeoutOf(
  { lengthy }: Pick<Outgoing, "lengthy">,
  { settings, sources }: Pick<Config, "settings" | "sources">,
): number {
  const isSet = sources.httpTimeoutMs !== "default";
  return lengthy === true && !isSet ? LENGTHY_MS : settings.httpTimeoutMs;
}

interface Answered {
  readonly status: number;
  readonly body?: Buffer;
}

function isRefusal(answer: Answered, code: "busy" | "daemon_stopping"): boolean {
  return answer.status === ERRORS[code].status && answer.body?.includes(`"${code}"`) === true;
}

/** What a fault means for this call, in words for a person (facts cli-and-config 1.3). */
function unavailable(
  fault: TransportFault,
  { address }: Endpoint,
  { id, changes, repeatable }: Outgoing,
): UnavailableError {
  const what =
    fault.kind === "timeout"
      ? unansweredMessage(address)
      : `the connection to the daemon at ${address} failed: ${fault.message}`;
  if (fault.kind === "unsent" || !changes) return new UnavailableError(what, { cause: fault });
  return new UnavailableError(`mutation result may be unknown: ${what}`, {
    code: id === "createIssue" ? "create_outcome_unknown" : "daemon_unavailable",
    hint: repeatable
      ? "send it again with the same idempotency key: it is carried out once"
      : "look whether it was made before you repeat it",
    cause: fault,
  });
}
