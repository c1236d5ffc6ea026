import { invalid, SvcError } from "../contract/errors.ts";
import { PROVIDER_RULES, type ProviderName } from "../domain/issue-sync/providers.ts";
import type { BindingRow } from "../domain/issue-sync/run.ts";
import type { RunClaim } from "../ops/issue-sync/binding.ts";
import type {
  FarSide,
  HostTest,
  RepositoryIdentity,
  RepositoryPlace,
  RunOptions,
  RunResult,
} from "../ops/issue-sync/far-side.ts";
import { importSourceName } from "../sources/github/read.ts";
import { ProviderFault, type ProviderProgress } from "./provider.ts";
import { type RunnerDeps, repositoryOf, runSync } from "./runner.ts";

interface Needs extends RunnerDeps {
  /** The repositories that callers with a token or behind a proxy may bind. */
  readonly repositories: readonly string[];
  wake(): void;
}

/** Sends requests to code hosts for the operations and the sync engine of one daemon. */
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
      throw invalid(`${error.kind}: ${error.message}`, error.hint, error);
    }
  }

  importSource(display_name: string): string {
    return importSourceName(display_name);
  }

  async test(binding: BindingRow, maxMs: number): Promise<HostTest> {
    const { clock, provider: providerOf } = this.#deps;
    const [late, done] = [new AbortController(), new AbortController()];
    void clock.sleep(maxMs, done.signal).then(() => {
      if (!done.signal.aborted) late.abort();
    });
    let why = "";
    const run = {
      since: undefined,
      parents: "rows" as const,
      onProgress: ({ waiting }: ProviderProgress) => {
        if (waiting !== undefined) why = `: ${waiting.why}`;
      },
      signal: AbortSignal.any([late.signal, this.#stopped.signal]),
    };
    try {
      const provider = await providerOf(binding.provider as ProviderName);
      for await (const { kind } of provider.prepare(repositoryOf(binding), run))
        if (kind === "repository") break;
      return { result: "ok" };
    } catch (error) {
      if (this.#stopped.signal.aborted) throw new SvcError("daemon_stopping");
      if (late.signal.aborted) return silent(maxMs, why);
      if (!(error instanceof ProviderFault)) throw error;
      return { result: "failed", category: error.kind, message: error.message, hint: error.hint };
    } finally {
      done.abort();
    }
  }

  async run(claim: RunClaim, options: RunOptions): Promise<RunResult> {
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

  /** Stops the runs that are under way, and waits until each has noted that it was interrupted. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.allSettled(this.#running);
  }
}

function silent(ms: number, why: string): HostTest {
  return {
    result: "failed",
    category: "provider_http",
    message: `no answer within ${Math.ceil(ms / 1000)} s${why}`,
    hint: "a run waits longer: svc sync github once, in the project, says how it goes",
  };
}
