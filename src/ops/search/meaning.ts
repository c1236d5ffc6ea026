import { NeedsWorker } from "../../base/budget.ts";
import { SvcError } from "../../contract/errors.ts";
import type { Input } from "../../contract/route.ts";
import type { searchIssues } from "../../contract/search.ts";
import { candidatesPerSource } from "../../domain/fusion.ts";
import { UNAVAILABLE, type UnavailableReason } from "../../domain/meaning/unavailable.ts";
import type { SearchQuery } from "../../store/types/issues.ts";
import type { ReadDeps } from "../deps.ts";
import { requireProject } from "../find.ts";
import { searchQuery } from "./query.ts";
import {
  type SearchPlan,
  type SemanticHit,
  type SemanticOutcome,
  type SemanticSearch,
  searchPlan,
} from "./semantic.ts";

const FEW_ISSUES = 5000;
/** How many hits are compared with the filter at once. */
const HITS_AT_ONCE = 1000;
/** If hits are dropped by the filter, that many times as many are asked for. */
const MORE = 4;

interface MeaningDeps extends Pick<ReadDeps, "store"> {
  /** Undefined if no provider is configured, or if the provider may not be called. */
  readonly semantic: SemanticSearch | undefined;
  readonly at: Parameters<typeof searchPlan>[1];
  /** If the filter of a search selects fewer issues than this, only these are scored. Default: 5,000. */
  readonly fewIssues?: number;
}

/**
 * Begins a search by meaning, which goes on while words are searched. Returns undefined if the search needs words only.
 * Throws what `searchPlan` throws. The promise in the answer rejects with `unavailable` if the meaning was asked for
 * and cannot be searched.
 */
export async function beginMeaning(
  { store, semantic, at, fewIssues = FEW_ISSUES }: MeaningDeps,
  { params, query }: Pick<Input<typeof searchIssues>, "params" | "query">,
): Promise<{ readonly meant: Promise<SemanticOutcome> } | undefined> {
  const mode = query.mode === undefined || query.mode === "" ? "auto" : query.mode;
  if (mode === "lexical" || (mode === "auto" && !at.configured)) return undefined;
  const project = await store.read(
    async (reader) => await requireProject(reader, params.project_id),
  );
  const plan = searchPlan(mode, at);
  if (plan.run === "words" || semantic === undefined) return undefined;
  const ask = searchQuery(project, query);
  const limit = plan.run === "hybrid" ? candidatesPerSource(ask.limit) : ask.limit;
  const meant = readMeaning({ store, semantic, fewIssues }, { ...ask, limit }, plan);
  // The search by words may fail first. Then nobody waits for this one.
  meant.catch(() => undefined);
  return { meant };
}

async function readMeaning(
  deps: Needs,
  ask: SearchQuery,
  plan: Exclude<SearchPlan, { readonly run: "words" }>,
): Promise<SemanticOutcome> {
  const embedded = await deps.semantic.embed(ask.text);
  const found = "unavailable" in embedded ? embedded : await nearest(deps, ask, embedded);
  if ("hits" in found) return { hits: found.hits, lexical: plan.run === "hybrid" };
  if (plan.falls_back) return { fallen: found.unavailable };
  throw new SvcError("unavailable", {}, { message: UNAVAILABLE[found.unavailable] });
}

interface Needs extends Pick<ReadDeps, "store"> {
  readonly semantic: SemanticSearch;
  readonly fewIssues: number;
}

type Embedded = Extract<Awaited<ReturnType<SemanticSearch["embed"]>>, { readonly vector: unknown }>;

type Nearest =
  | { readonly hits: readonly SemanticHit[] }
  | { readonly unavailable: UnavailableReason };

/**
 * Applies the filters of the search before the limit, so that a page is full if enough issues match. A search without a filter
 * looks up its hits too: on a database that several daemons share, another one may have removed issues from the index
 * that the scoring thread of this one still has in memory.
 */
async function nearest(deps: Needs, ask: SearchQuery, embedded: Embedded): Promise<Nearest> {
  const { project_uid, limit } = ask;
  const basic = { ...embedded, project_uid, limit };
  const among = isFiltered(ask) ? await selected(deps, ask) : undefined;
  if (among?.length === 0) return { hits: [] };
  if (among !== undefined) return await deps.semantic.nearest({ ...basic, among });
  for (let asks = limit; ; asks *= MORE) {
    const found = await deps.semantic.nearest({ ...basic, limit: asks });
    if ("unavailable" in found) return found;
    const hits = await satisfying(deps, ask, found.hits);
    if (hits.length >= limit || found.exhausted) return { hits: hits.slice(0, limit) };
  }
}

function isFiltered({ labels, exclude_labels, filter = {} }: SearchQuery): boolean {
  return labels.length > 0 || exclude_labels.length > 0 || Object.keys(filter).length > 0;
}

/** Returns the uids of the live issues that the filter selects. Undefined if they are many. */
async function selected(
  { store, fewIssues }: Needs,
  ask: SearchQuery,
): Promise<readonly string[] | undefined> {
  try {
    const uids = await store.read(async ({ search }) => await search.selected(ask, fewIssues));
    return uids.length < fewIssues ? uids : undefined;
  } catch (error) {
    if (error instanceof NeedsWorker) return undefined;
    throw error;
  }
}

/** Returns the hits that satisfy the filter, at least as many as the limit if there are. */
async function satisfying(
  { store }: Needs,
  ask: SearchQuery,
  hits: readonly SemanticHit[],
): Promise<readonly SemanticHit[]> {
  const found: SemanticHit[] = [];
  for (let from = 0; from < hits.length && found.length < ask.limit; from += HITS_AT_ONCE) {
    const part = hits.slice(from, from + HITS_AT_ONCE);
    const uids = part.map(({ issue_uid }) => issue_uid);
    const kept = await store.read(
      async ({ search }) => new Set(await search.selected(ask, uids.length, uids)),
    );
    found.push(...part.filter(({ issue_uid }) => kept.has(issue_uid)));
  }
  return found;
}
