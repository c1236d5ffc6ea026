import type { testEmbeddings as contract } from "../../contract/embeddings.ts";
import type { Output } from "../../contract/route.ts";
import { providerCure } from "../../domain/meaning/cures.ts";
import { type EmbeddingsFarSide, requireConfigured } from "./far-side.ts";

/** Asks the provider to embed one word. */
export async function testEmbeddings({
  embeddings,
}: {
  readonly embeddings: EmbeddingsFarSide | undefined;
}): Promise<Output<typeof contract>> {
  const tested = await requireConfigured(embeddings).test();
  if (tested.result === "ok") return tested;
  return { ...tested, reason: providerCure(tested.status) };
}
