import { SvcError } from "../../contract/errors.ts";
import type { health } from "../../contract/health.ts";
import type { Output } from "../../contract/route.ts";
import type { IndexedIssue } from "../../store/types/vectors.ts";

export interface EmbeddingsShown {
  readonly health: NonNullable<Output<typeof health>["embeddings"]>;
  readonly model: string;
  readonly dims: number;
  /** Whether searches are answered, or a first index for the configured model is built, or there is none yet. */
  readonly generation: "active" | "building" | "none";
  /** The newest issues that the provider refused, at most 100. */
  readonly skipped: readonly Pick<IndexedIssue, "issue_uid" | "reason">[];
}

export type EmbeddingsTest =
  | { readonly result: "ok"; readonly ms: number }
  | { readonly result: "failed"; readonly status?: number };

/** Search by meaning, as operations see it. The daemon implements it if a provider is configured. */
export interface EmbeddingsFarSide {
  show(): Promise<EmbeddingsShown>;
  /** Lets a new index be built. The old one answers searches until then. */
  reindex(): Promise<void>;
  /** Embeds one word, within 5 s. */
  test(): Promise<EmbeddingsTest>;
}

/** Throws `validation` if no provider is configured. */
export function requireConfigured(embeddings: EmbeddingsFarSide | undefined): EmbeddingsFarSide {
  if (embeddings !== undefined) return embeddings;
  const message = "search by meaning is not configured on this daemon";
  const hint = "set base_url and model of [search.embeddings] in config.toml";
  throw new SvcError("validation", {}, { message, hint });
}
