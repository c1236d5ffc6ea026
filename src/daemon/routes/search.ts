import { Budget } from "../../base/budget.ts";
import type { Input } from "../../contract/route.ts";
import type { searchIssues } from "../../contract/search.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { beginMeaning } from "../../ops/search/meaning.ts";
import type { SemanticSearch } from "../../ops/search/semantic.ts";
import type { App } from "../app.ts";
import { bindHeavyRead, LITTLE_BYTES } from "../read-worker/bind-heavy-read.ts";
import { SEARCH } from "../read-worker/ops.ts";
import type { ReadWorker } from "../read-worker/read-worker.ts";

/** The search by meaning of a daemon that has a provider. */
export interface SearchMeaning {
  /** Whether everybody may read without a token, so that the provider is never called. */
  readonly readonly: boolean;
  get(): Promise<{ readonly search: SemanticSearch }>;
}

interface Hosts {
  readonly readWorker: ReadWorker | undefined;
  /** If absent, no provider of search by meaning is configured. */
  readonly meaning: SearchMeaning | undefined;
}

/** A search by meaning needs the provider, which only the daemon's own thread has. It goes on beside that by words. */
export function searchRoutes(app: App, deps: UngatedDeps, { readWorker, meaning }: Hosts): void {
  const at = { configured: meaning !== undefined, readonly: meaning?.readonly === true };
  const { store } = deps;
  const limited: Pick<typeof store, "read" | "leaseNow"> = {
    read: async (work) => await store.read(work, new Budget(LITTLE_BYTES)),
    leaseNow: async () => await store.leaseNow(),
  };
  bindHeavyRead(app, deps, readWorker, SEARCH, async (_event, _who, input) => {
    const { query } = input as Input<typeof searchIssues>;
    const needsMeaning = query.mode !== "lexical" && meaning !== undefined && !at.readonly;
    const semantic = needsMeaning ? (await meaning.get()).search : undefined;
    const begun = await beginMeaning(
      { store: limited, semantic, at },
      input as Input<typeof searchIssues>,
    );
    return { input, ...begun };
  });
}
