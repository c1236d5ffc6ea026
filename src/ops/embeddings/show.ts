import type { showEmbeddings as contract } from "../../contract/embeddings.ts";
import { errorCure } from "../../domain/meaning/cures.ts";
import type { Op } from "../deps.ts";
import type { EmbeddingsFarSide } from "./far-side.ts";

/** Says how far the index of meanings is. `embeddings` is undefined if no provider is configured. */
export async function showEmbeddings({
  store,
  embeddings,
}: Parameters<Op<typeof contract>>[0] & {
  readonly embeddings: EmbeddingsFarSide | undefined;
}): ReturnType<Op<typeof contract>> {
  if (embeddings === undefined) return { configured: false };
  const { health, model, dims, generation, skipped } = await embeddings.show();
  const uids = skipped.map(({ issue_uid }) => issue_uid);
  const { total, names } = await store.read(async ({ contents, issues }) => ({
    total: await contents.count(),
    names: await issues.names(uids),
  }));
  const skipped_issues = skipped.flatMap(({ issue_uid: uid, reason }) => {
    const name = names.get(uid);
    if (name === undefined || reason === null) return [];
    return [{ qualified_id: `${name.project_name}#${name.short_id}`, uid, reason }];
  });
  const error_cure = health.error_present ? { error_cure: errorCure(health) } : {};
  return { ...health, model, dims, total, generation, skipped_issues, ...error_cure };
}
