import * as contract from "../../contract/embeddings.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { reindexEmbeddings } from "../../ops/embeddings/reindex.ts";
import { showEmbeddings } from "../../ops/embeddings/show.ts";
import { testEmbeddings } from "../../ops/embeddings/test-provider.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";
import type { LazyMeaning } from "../meaning/lazy-meaning.ts";

/** `meaning` is undefined if no provider is configured. */
export function embeddingsRoutes(
  app: App,
  deps: UngatedDeps,
  meaning: LazyMeaning | undefined,
): void {
  const farSide = async () => (await meaning?.get())?.farSide;
  bind(app, deps, contract.showEmbeddings, async ({ store }) =>
    showEmbeddings({ store, embeddings: await farSide() }),
  );
  bind(app, deps, contract.reindexEmbeddings, async ({ store }) =>
    reindexEmbeddings({ store, embeddings: await farSide() }),
  );
  bind(app, deps, contract.testEmbeddings, async () =>
    testEmbeddings({ embeddings: await farSide() }),
  );
}
