import type { Log } from "../base/log.ts";
import type { ConnectorEntry } from "../config/connectors.ts";
import { IDENTITY_CHANGED } from "../domain/bridges/pauses.ts";
import type { Described } from "../domain/bridges/values.ts";
import type { ConnectorHealth, ExternalRoots } from "../ops/bridges/external-roots.ts";
import { type ConnectorClient, ConnectorFault } from "../ops/bridges/far-side.ts";
import { clientOf } from "./client.ts";
import type { ProcessDeps } from "./process.ts";
import { Slots } from "./slots.ts";

type Needs = Omit<ProcessDeps, "signal" | "left"> & { readonly log: Pick<Log, "warn"> };

/** What a connector must keep while the daemon runs. */
type Identity = Pick<Described, "connector_id" | "protocol">;

/** The connectors of a daemon. None of them is started before somebody asks for it. */
export class Connectors implements ExternalRoots {
  readonly #entries: ReadonlyMap<string, ConnectorEntry>;
  readonly #needs: Needs;
  readonly #slots = new Slots();
  readonly #firstSeen = new Map<string, Identity>();
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(entries: readonly ConnectorEntry[], needs: Needs) {
    this.#entries = new Map(entries.map((entry) => [entry.id, entry]));
    this.#needs = needs;
  }

  instances(): readonly string[] {
    return [...this.#entries.keys()].sort();
  }

  async health(
    instances: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly ConnectorHealth[]> {
    return await Promise.all(
      instances.map(async (instance_id): Promise<ConnectorHealth> => {
        try {
          const described = await this.#describe(instance_id, signal);
          return { instance_id, described };
        } catch (error) {
          if (error instanceof ConnectorFault) return { instance_id, fault: error };
          throw error;
        }
      }),
    );
  }

  /** Ends the calls that run, with this reason. Resolves when their programs have ended. */
  async stop(reason: Error): Promise<void> {
    this.#stopping.abort(reason);
    await Promise.allSettled(this.#running);
  }

  async #kept<T>(call: Promise<T>): Promise<T> {
    this.#running.add(call);
    return await call.finally(() => this.#running.delete(call));
  }

  client(instance: string, signal: AbortSignal): ConnectorClient | undefined {
    const entry = this.#entries.get(instance);
    if (entry === undefined) return undefined;
    const { id, ...program } = entry;
    const left = (): void => this.#needs.log.warn("connectors.program_left", { instance });
    const slots: Pick<Slots, "run"> = {
      run: async (work) => await this.#kept(this.#slots.run(work)),
    };
    const either = AbortSignal.any([signal, this.#stopping.signal]);
    const calls = clientOf(
      { instance: id, program },
      { ...this.#needs, slots, signal: either, left },
    );
    return { ...calls, describe: async () => this.#withKeptIdentity(id, await calls.describe()) };
  }

  async #describe(instance: string, signal: AbortSignal): Promise<Described> {
    const client = this.client(instance, signal);
    if (client === undefined) throw new ConnectorFault("missing");
    return await client.describe();
  }

  #withKeptIdentity(instance: string, described: Described): Described {
    if (!this.#hasKeptIdentity(instance, described))
      throw new ConnectorFault("protocol", { code: IDENTITY_CHANGED });
    return described;
  }

  /** Remembers the first identity of the instance. False if the program is another one now. */
  #hasKeptIdentity(instance: string, { connector_id, protocol }: Described): boolean {
    const first = this.#firstSeen.get(instance);
    if (first === undefined) this.#firstSeen.set(instance, { connector_id, protocol });
    return (
      first === undefined || (first.connector_id === connector_id && first.protocol === protocol)
    );
  }
}
