import type { reindexEmbeddings as contract } from "../../contract/embeddings.ts";
import type { Op } from "../deps.ts";
import { type EmbeddingsFarSide, requireConfigured } from "./far-side.ts";

/** Lets every issue be embedded anew. The daemon that fills the index begins as soon as it looks for work. */
export async function reindexEmbeddings({
  store,
  embeddings,
}: Parameters<Op<typeof contract>>[0] & {
  readonly embeddings: EmbeddingsFarSide | undefined;
}): ReturnType<Op<typeof contract>> {
  await requireConfigured(embeddings).reindex();
  return { total: await store.read(async ({ contents }) => await contents.count()) };
}
