import { SvcError } from "../../contract/errors.ts";

/**
 * Search by meaning, which exists only in a daemon with an embedding provider. The provider keeps its own index and
 * decides whether it can answer (facts search 4, 5).
 */
export interface SemanticSearch {
  /** Returns the best hits first, or `unavailable` with a reason that may be shown. */
  nearest(query: SemanticQuery): Promise<readonly SemanticHit[] | { readonly unavailable: string }>;
}

interface SemanticQuery {
  readonly project_uid: string;
  readonly text: string;
  readonly limit: number;
  readonly labels: readonly string[];
  readonly exclude_labels: readonly string[];
}

interface SemanticHit {
  readonly issue_uid: string;
  readonly cosine: number;
}

type SearchMode = "auto" | "lexical" | "hybrid" | "semantic";

interface SearchSources {
  readonly lexical: boolean;
  readonly semantic: SemanticSearch | undefined;
}

export function searchSources(
  mode: SearchMode,
  semantic: SemanticSearch | undefined,
): SearchSources {
  if (mode === "lexical" || (mode === "auto" && semantic === undefined))
    return { lexical: true, semantic: undefined };
  if (semantic === undefined) {
    const message = `mode: ${mode} search is not configured on this daemon`;
    const hint = "ask for the mode lexical, or auto";
    throw new SvcError("validation", { field: "mode" }, { message, hint });
  }
  return { lexical: mode !== "semantic", semantic };
}
