import { SvcError } from "../../contract/errors.ts";

/**
 * The half of search that goes by meaning. A daemon without an embedding provider has none; what it needs of a
 * provider, its index and its health is its own business (facts search 4, 5).
 */
export interface SemanticSearch {
  /** Best first. `unavailable` says why there is no answer now, in words that may be shown. */
  nearest(query: SemanticQuery): Promise<readonly SemanticHit[] | { readonly unavailable: string }>;
}

interface SemanticQuery {
  readonly project_uid: string;
  readonly text: string;
  readonly limit: number;
  /** All of them. */
  readonly labels: readonly string[];
  /** None of them. */
  readonly exclude_labels: readonly string[];
}

interface SemanticHit {
  readonly issue_uid: string;
  /** Of its best part. */
  readonly cosine: number;
}

type SearchMode = "auto" | "lexical" | "hybrid" | "semantic";

interface SearchSources {
  readonly lexical: boolean;
  readonly semantic: SemanticSearch | undefined;
}

/** Which halves a search runs (facts search 2.1). */
export function searchSources(
  asked: SearchMode,
  semantic: SemanticSearch | undefined,
): SearchSources {
  if (asked === "lexical" || (asked === "auto" && semantic === undefined))
    return { lexical: true, semantic: undefined };
  if (semantic === undefined) {
    const message = `mode: ${asked} search is not configured on this daemon`;
    throw new SvcError("validation", { field: "mode" }, { message });
  }
  return { lexical: asked !== "semantic", semantic };
}
