import type { Clock } from "../base/clock.ts";
import { invariant } from "../base/invariant.ts";
import { Admission, type Slot } from "./admission.ts";
import { argumentBytes, readArguments } from "./arguments.ts";
import { textWithin } from "./budget.ts";
import type { Caller, Catalog, NamedTool } from "./catalog.ts";
import type { Daemon } from "./daemon.ts";
import { failureText, ToolError } from "./failure.ts";
import { type EventSource, News } from "./news.ts";
import { type Reach, Scope } from "./scope.ts";
import { loaderName, type Section } from "./sections.ts";
import type { HostStorage } from "./storage/host-storage.ts";
import type { Tool, ToolContext } from "./tool.ts";

/** The most bytes of the text of a failure, which may contain arguments and names of any length. */
const MAX_FAILURE_BYTES = 1024;

/** The result of `tools/call` (docs/contract/tools.md#31-form): the answer of the tool, or the text of a failure. */
export type CallOutcome =
  | { readonly structured: Readonly<Record<string, unknown>> }
  | { readonly failure: string };

export interface ToolServerOptions {
  readonly catalog: Catalog;
  readonly reach: Reach;
  readonly actor: string;
  readonly hasToken: boolean;
  readonly storage?: HostStorage | undefined;
  /** Returns the daemon for one call. Its requests end when the signal is aborted. */
  readonly daemonFor: (signal: AbortSignal) => Daemon;
  readonly clock: Clock;
  /** Tells waiting calls of changes. Without it, they check the daemon at short intervals. */
  readonly events?: EventSource | undefined;
  /** Called with errors of an unknown kind, whose text the client does not get. */
  readonly failed?: (error: unknown) => void;
}

interface Running {
  readonly signal: AbortSignal;
  readonly slot: Slot;
}

/** Runs tool calls for all clients of the process. It does not know by which protocol they came. */
export class ToolServer {
  readonly catalog: Catalog;
  readonly #options: ToolServerOptions;
  readonly #admission: Admission;
  readonly #news: News;

  constructor(options: ToolServerOptions) {
    this.catalog = options.catalog;
    this.#options = options;
    this.#admission = new Admission(options.clock);
    const hold = async (signal: AbortSignal) => await this.#admission.hold(signal);
    this.#news = new News(options.events, options.clock, hold);
  }

  /**
   * Runs a call and returns its result, or `undefined` if no loader and no available tool has this name. Rejects if the
   * signal is aborted.
   */
  async call(
    name: string,
    input: unknown,
    signal: AbortSignal,
    caller?: Caller,
  ): Promise<CallOutcome | undefined> {
    const named = this.catalog.find(name);
    if (named === undefined) return undefined;
    const run = async (slot: Slot): Promise<CallOutcome> =>
      named.kind === "loader"
        ? await this.#load(named.section, input, caller)
        : await this.#runTool(named, input, { signal, slot }, caller);
    const runAdmitted = async () => await this.#admission.run(signal, run, argumentBytes(input));
    const outcome = await runAdmitted().catch(asFailure);
    if (!("failure" in outcome)) return outcome;
    return { failure: textWithin(this.catalog.named(outcome.failure), MAX_FAILURE_BYTES) };
  }

  async #load(section: Section, input: unknown, caller?: Caller): Promise<CallOutcome> {
    const [unknown] = Object.keys(input ?? {});
    if (unknown !== undefined)
      return { failure: `invalid arguments: ${unknown}: a loader takes none` };
    return { structured: { ...(await this.catalog.load(section, caller)) } };
  }

  /**
   * Runs a tool, and loads its section first if necessary. A destructive tool whose section is not loaded yet is refused
   * instead, so that the client reads the tool's description before it calls the tool.
   */
  async #runTool(
    { section, entry }: NamedTool & { readonly kind: "tool" },
    input: unknown,
    running: Running,
    caller?: Caller,
  ): Promise<CallOutcome> {
    const { name, annotations } = entry;
    if (!this.catalog.isLoaded(section) && annotations.destructiveHint)
      return {
        failure: `${name} is not loaded and is marked as destructive: call ${loaderName(section)} first`,
      };
    const tool = await this.catalog.tool(section, name, caller);
    invariant(tool !== undefined, `the section ${section} has the tool ${name}`);
    return await this.#run(tool, input, running);
  }

  async #run(tool: Tool, input: unknown, { signal, slot }: Running): Promise<CallOutcome> {
    const { actor, hasToken, storage, reach, daemonFor, clock, failed } = this.#options;
    const daemon = daemonFor(signal);
    const scope = new Scope(reach, daemon);
    try {
      const args = readArguments(tool.input, input);
      const watch: ToolContext["watch"] = async (work) =>
        await this.#news.watch(
          async (rest) =>
            await work(async (ms) => {
              await slot.leave(async () => await rest(ms, signal));
              signal.throwIfAborted();
            }),
        );
      const context = { ...daemon, scope, actor, hasToken, storage, clock, signal, watch };
      return { structured: await tool.run(args, context) };
    } catch (error) {
      signal.throwIfAborted();
      const changes = !tool.annotations.readOnlyHint;
      const known = failureText(error, await namesInReach(scope), { changes });
      if (known === undefined) failed?.(error);
      return { failure: known ?? "internal error: the server wrote it to stderr" };
    }
  }
}

/**
 * Returns the names of the projects in reach: none if the daemon does not answer, `undefined` if all projects are in
 * reach.
 */
async function namesInReach(scope: Scope): Promise<ReadonlySet<string> | undefined> {
  if (!scope.isLimited) return undefined;
  const projects = await scope.projects().catch(() => []);
  return new Set(projects.map(({ name }) => name));
}

function asFailure(error: unknown): CallOutcome {
  if (error instanceof ToolError) return { failure: error.message };
  throw error;
}
