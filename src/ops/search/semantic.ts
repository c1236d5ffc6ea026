import { SvcError } from "../../contract/errors.ts";
import type { UnavailableReason } from "../../domain/meaning/unavailable.ts";

/** The vector of a query, scaled to length 1, with as many numbers as the model gives. */
export type QueryVector = Float32Array;

/** An issue that is near the query, with the cosine similarity of its best chunk. */
export interface SemanticHit {
  readonly issue_uid: string;
  readonly cosine: number;
}

interface NearestIssues {
  readonly hits: readonly SemanticHit[];
  /** True if a larger limit gives no further hit. */
  readonly exhausted: boolean;
}

interface Unavailable {
  readonly unavailable: UnavailableReason;
}

/**
 * Search by meaning, which exists only in a daemon with an embedding provider
 * (docs/contract/search.md#4-search-by-meaning and docs/contract/search.md#53-the-provider).
 */
export interface SemanticSearch {
  /**
   * Embeds the query, within 3 s. A fault of the provider is not thrown, but is the reason in the answer. `until_ms` is
   * the time, in milliseconds since 1970, until which `nearest` answers: the index gets 3 s for all asks of a search.
   */
  embed(
    text: string,
  ): Promise<{ readonly vector: QueryVector; readonly until_ms: number } | Unavailable>;
  /**
   * The best `limit` issues of the project with a cosine of at least 0.3, best first. `among`: only these issues. After
   * `until_ms` of `embed` the answer is `index_unreadable`.
   */
  nearest(ask: {
    readonly until_ms: number;
    readonly project_uid: string;
    readonly vector: QueryVector;
    readonly limit: number;
    readonly among?: readonly string[];
  }): Promise<NearestIssues | Unavailable>;
}

type SearchMode = "auto" | "lexical" | "hybrid" | "semantic";

/** How a search is carried out. `falls_back`: it answers by words if the search by meaning is unavailable. */
export type SearchPlan =
  | { readonly run: "words" }
  | { readonly run: "hybrid" | "semantic"; readonly falls_back: boolean };

/** Whether the daemon has an embedding provider, and whether it lets everybody read without a token. */
interface SearchPlace {
  readonly configured: boolean;
  readonly readonly: boolean;
}

/**
 * Decides how a search in the mode is carried out (docs/contract/search.md#21-modes). Throws `validation` if the mode
 * needs a provider and there is none, and `auth_required` if the daemon lets everybody read: strangers must not cause
 * calls of the provider.
 */
export function searchPlan(mode: SearchMode, { configured, readonly }: SearchPlace): SearchPlan {
  if (mode === "lexical") return { run: "words" };
  if (mode === "auto")
    return configured && !readonly ? { run: "hybrid", falls_back: true } : { run: "words" };
  if (!configured) {
    const message = `mode: ${mode} search is not configured on this daemon`;
    const hint = "set base_url and model of [search.embeddings] in config.toml, or search by words";
    throw new SvcError("validation", { field: "mode" }, { message, hint });
  }
  if (readonly) {
    const message = "search by meaning is not for callers without a token";
    const hint = "search with mode auto or lexical";
    throw new SvcError("auth_required", {}, { message, hint });
  }
  return { run: mode, falls_back: false };
}

/**
 * What the search by meaning found. It is plain JSON, because the read worker may get it. `fallen`: the search answers
 * by words, and gives this reason. `lexical`: the hits are merged with those of the search by words.
 */
export type SemanticOutcome =
  | { readonly fallen: UnavailableReason }
  | { readonly hits: readonly SemanticHit[]; readonly lexical: boolean };
