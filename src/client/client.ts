import { type Env, processEnv } from "../config/env.ts";
import { type Config, type ConfigInput, loadConfig } from "../config/load.ts";
import { readWorkspace, type Workspace } from "../config/workspace.ts";
import { UnavailableError } from "./errors.ts";
import { HttpClient, type HttpResponse, type HttpStream, TransportFault } from "./http/client.ts";
import type { HttpRequest } from "./http/request.ts";
import { type Endpoint, locate } from "./locate.ts";
import type { Program } from "./program.ts";
import { selectTarget, type Target, tokenFor } from "./target.ts";

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
  /** The daemon may get it twice: a reading, or a change that carries an idempotency key. */
  readonly repeatable: boolean;
}

/** Reads the settings and selects the daemon; nothing is started or asked yet, and no token is read. */
export async function select(options: ClientOptions): Promise<Selection> {
  const { env = processEnv(), cwd = process.cwd(), flags = {}, start, program } = options;
  const config = await loadConfig({ env, cwd, flags });
  const workspace = await readWorkspace(start);
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
  #link: Promise<Link> | undefined;

  constructor({ config, workspace, target, program, warnings }: Selection, autostart: boolean) {
    this.config = config;
    this.workspace = workspace;
    this.target = target;
    this.program = program;
    this.warnings = warnings;
    this.#autostart = autostart;
  }

  async endpoint(): Promise<Endpoint> {
    return (await this.#connect()).endpoint;
  }

  /** One request and its whole answer, whatever its status. Throws `TransportFault` where there is none. */
  async send(request: Outgoing): Promise<HttpResponse> {
    const timeoutMs = this.config.settings.httpTimeoutMs;
    return await this.#withLink(request, async ({ http, headers }) => {
      return await http.request(
        { ...request, headers: { ...headers, ...request.headers } },
        timeoutMs,
      );
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

  async #connect(): Promise<Link> {
    this.#link ??= this.#open();
    return await this.#link;
  }

  async #open(): Promise<Link> {
    const endpoint = await locate(this.config, this.target, this.program, {
      start: this.#autostart,
      dismissed: this.#dismissed,
    });
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
      const link = await this.#connect();
      try {
        const answer = await work(link);
        if (!isStopping(answer) || !this.#mayRelocate(link, relocations)) return answer;
        relocations++;
      } catch (error) {
        if (!(error instanceof TransportFault)) throw error;
        if (error.kind === "unsent" && this.#mayRelocate(link, relocations)) relocations++;
        else if (error.kind === "lost" && request.repeatable && !repeated) {
          repeated = true;
          continue;
        } else throw error;
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

function isStopping(answer: { readonly status: number; readonly body?: Buffer }): boolean {
  return answer.status === 503 && answer.body?.includes('"daemon_stopping"') === true;
}

/** In words for a person what a `TransportFault` means for this call. */
export function unavailable(
  fault: TransportFault,
  endpoint: Endpoint,
  call: { readonly id: string; readonly changes: boolean },
): UnavailableError {
  const { address } = endpoint;
  const what =
    fault.kind === "timeout"
      ? `the daemon at ${address} did not answer in time`
      : `the connection to the daemon at ${address} failed: ${fault.message}`;
  if (fault.kind === "unsent" || !call.changes) return new UnavailableError(what, { cause: fault });
  const hint = "look whether it was made before you repeat it";
  const code = call.id === "createIssue" ? "create_outcome_unknown" : "daemon_unavailable";
  return new UnavailableError(`mutation result may be unknown: ${what}`, {
    code,
    hint,
    cause: fault,
  });
}
