import type { Clock } from "../../base/clock.ts";
import type { Env } from "../../config/env.ts";
import type { ProviderSyncSettings } from "../../config/provider-sync.ts";
import {
  type BindingIdentity,
  type BoundRepository,
  type Provider,
  ProviderFault,
  type ProviderRun,
  type RemoteBatch,
  type RepositoryPlace,
} from "../provider.ts";
import { GithubClient } from "./client.ts";
import { Credentials } from "./credentials.ts";
import { endpointsOf, PUBLIC_HOST } from "./endpoints.ts";
import { readIssues } from "./prepare.ts";
import { Progress } from "./progress.ts";
import { readRepository } from "./repository.ts";

export interface GithubOptions {
  readonly clock: Clock;
  readonly settings: ProviderSyncSettings;
  /** The environment of the daemon. */
  readonly env: Env;
  /** The folder of config.toml; relative paths in config.toml start there. */
  readonly home: string;
}

/**
 * How long no request for parents is sent to a host that does not offer them (docs/contract/issue-sync.md#7-parents).
 */
const NO_PARENTS_MS = 3_600_000;

/** Reads issues of github.com and of the enterprise hosts that the settings list. */
export class GithubProvider implements Provider {
  readonly name = "github";
  readonly publicHost = PUBLIC_HOST;
  readonly #options: GithubOptions;
  readonly #credentials: Credentials;
  /** Hosts that do not offer parents, and the time in ms until which no request for parents is sent to them. */
  readonly #withoutParents = new Map<string, number>();

  constructor(options: GithubOptions) {
    this.#options = options;
    this.#credentials = new Credentials(options);
  }

  async validate(place: RepositoryPlace, signal: AbortSignal): Promise<BindingIdentity> {
    const progress = new Progress(() => undefined);
    const client = await this.#open(place, undefined, { signal, progress });
    try {
      return (await readRepository(client, place.host, undefined)).identity;
    } catch (error) {
      throw this.#noted(error);
    } finally {
      client.close();
    }
  }

  async *prepare(binding: BoundRepository, run: ProviderRun): AsyncGenerator<RemoteBatch> {
    const progress = new Progress(run.onProgress);
    const { host, repo_id } = binding;
    const client = await this.#open(binding, repo_id, { signal: run.signal, progress });
    try {
      const repository = await readRepository(client, host, binding);
      yield { kind: "repository", ...repository };
      yield* readIssues({
        ...{ client, run, progress, repository },
        hasNoParents: () => (this.#withoutParents.get(host) ?? 0) > this.#options.clock.nowMs(),
        noteNoParents: () =>
          void this.#withoutParents.set(host, this.#options.clock.nowMs() + NO_PARENTS_MS),
      });
    } catch (error) {
      throw this.#noted(error);
    } finally {
      client.close();
    }
  }

  /** Forgets the kept tokens if the host refused one, so that the next run gets new ones. Returns the error. */
  #noted(error: unknown): unknown {
    if (error instanceof ProviderFault && error.kind === "credentials") this.#credentials.forget();
    return error;
  }

  async #open(
    { host, owner, repo }: RepositoryPlace,
    repo_id: string | undefined,
    { signal, progress }: { readonly signal: AbortSignal; readonly progress: Progress },
  ): Promise<GithubClient> {
    const { clock, settings } = this.#options;
    requireAllowed(host, settings.allowedHosts);
    const endpoints = endpointsOf(host);
    const bearer = await this.#credentials.find({ host, owner, endpoints, signal, progress });
    const place = { endpoints, owner, repo, ...(repo_id === undefined ? {} : { repo_id }) };
    return new GithubClient({ clock, place, bearer, progress, signal });
  }
}

function requireAllowed(host: string, allowed: readonly string[]): void {
  if (host === PUBLIC_HOST || allowed.includes(host)) return;
  throw new ProviderFault(
    "repository_unavailable",
    `the host ${JSON.stringify(host)} is not allowed for issue sync`,
    "name it in SVC_PROVIDER_SYNC_ALLOWED_HOSTS where the daemon runs, or in [provider_sync] allowed_hosts",
  );
}
