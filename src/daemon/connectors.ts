import { systemClock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { ConnectorEntry } from "../config/connectors.ts";
import type { Env } from "../config/env.ts";
import type { Connectors } from "../connectors/registry.ts";
import { SvcError } from "../contract/errors.ts";
import type { ExternalRoots } from "../ops/bridges/external-roots.ts";

export interface ConnectorSettings {
  readonly entries: readonly ConnectorEntry[];
  /** The environment of the daemon, from which connectors get the variables that their entries name. */
  readonly environment: Env;
}

interface Loaded {
  readonly connectors: Connectors;
  stop(): Promise<void>;
}

/** The connectors as routes see them. */
export interface ConnectorHost {
  /** The number of `[[connector]]` entries. */
  readonly configured: number;
  get(): Promise<ExternalRoots>;
  /** Carries out a run of a bridge. A stop of the daemon waits for it before it closes the store. */
  during<T>(run: () => Promise<T>): Promise<T>;
}

/** The connectors of a daemon. Their code is loaded when somebody first asks for them; a start launches nothing. */
export class LazyConnectors implements ConnectorHost {
  readonly #settings: ConnectorSettings;
  readonly #log: Log;
  #loading: Promise<Loaded> | undefined;
  #isStopped = false;
  readonly #runs = new Set<Promise<unknown>>();

  constructor(settings: ConnectorSettings, log: Log) {
    this.#settings = settings;
    this.#log = log;
  }

  get configured(): number {
    return this.#settings.entries.length;
  }

  async get(): Promise<Connectors> {
    if (this.#isStopped) throw new SvcError("daemon_stopping");
    const loading = (this.#loading ??= this.#load());
    try {
      return (await loading).connectors;
    } catch (error) {
      // The next request loads it again.
      if (this.#loading === loading) this.#loading = undefined;
      throw error;
    }
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  async during<T>(run: () => Promise<T>): Promise<T> {
    const running = run();
    this.#runs.add(running);
    return await running.finally(() => this.#runs.delete(running));
  }

  /** Ends the programs that run, and waits for the runs that used them. From now on no program is started. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const loaded = await this.#loading?.catch(() => undefined);
    await loaded?.stop();
    await Promise.allSettled(this.#runs);
  }

  async #load(): Promise<Loaded> {
    const [{ Connectors: Registry }, { Reaper }] = await Promise.all([
      import("../connectors/registry.ts"),
      import("../connectors/reaper.ts"),
    ]);
    const { entries, environment } = this.#settings;
    const reaper = new Reaper(this.#log);
    const log = this.#log;
    const connectors = new Registry(entries, { clock: systemClock, environment, reaper, log });
    return {
      connectors,
      stop: async () => {
        await connectors.stop(new SvcError("daemon_stopping"));
        reaper.stop();
      },
    };
  }
}
