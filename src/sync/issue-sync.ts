import { invalid, SvcError } from "../contract/errors.ts";
import { PROVIDER_RULES, type ProviderName } from "../domain/issue-sync/providers.ts";
import type { Claim } from "../ops/issue-sync/binding.ts";
import type {
  FarSide,
  RepositoryIdentity,
  RepositoryPlace,
  RunOptions,
  RunResult,
} from "../ops/issue-sync/far-side.ts";
import { ProviderFault } from "./provider.ts";
import { type RunnerDeps, runSync } from "./runner.ts";

interface Needs extends RunnerDeps {
  /** The repositories that callers with a token or behind a proxy may bind. */
  readonly repositories: readonly string[];
  wake(): void;
}

/** Issue sync of one daemon: what operations and the engine ask of the hosts. */
export class IssueSync implements FarSide {
  readonly #deps: Needs;
  readonly #stopped = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(deps: Needs) {
    this.#deps = deps;
  }

  isListed(provider: ProviderName, { host, owner, repo }: RepositoryPlace): boolean {
    const name = `${owner}/${repo}`.toLowerCase();
    const isPublic = host === PROVIDER_RULES[provider].publicHost;
    const names = isPublic ? [name, `${host}/${name}`] : [`${host}/${name}`];
    return this.#deps.repositories.some((listed) => names.includes(listed.toLowerCase()));
  }

  async identify(name: ProviderName, place: RepositoryPlace): Promise<RepositoryIdentity> {
    const provider = await this.#deps.provider(name);
    try {
      return await provider.validate(place, this.#stopped.signal);
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error;
      if (this.#stopped.signal.aborted) throw new SvcError("daemon_stopping");
      throw invalid(`${error.kind}: ${error.message}`, error.cure, error);
    }
  }

  async run(claim: Claim, options: RunOptions): Promise<RunResult> {
    const running = runSync(this.#deps, claim, { ...options, signal: this.#stopped.signal });
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  wake(): void {
    this.#deps.wake();
  }

  /** Ends the runs that are under way, each of which writes how far it got. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.allSettled(this.#running);
  }
}
