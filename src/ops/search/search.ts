import type { Input, Output } from "../../contract/route.ts";
import type { searchIssues as contract } from "../../contract/search.ts";
import { candidatesPerSource, hybridOrder, LEAST_COSINE } from "../../domain/fusion.ts";
import { UNAVAILABLE } from "../../domain/meaning/unavailable.ts";
import { hasSameWords } from "../../domain/words.ts";
import type { SearchQuery } from "../../store/types/issues.ts";
import type { StoredIssue, StoredProject } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import { withinBudget } from "../budget.ts";
import type { Principal, ReadDeps } from "../deps.ts";
import { requireProject } from "../find.ts";
import { issuesOut } from "../out/issues.ts";
import { namedBy } from "./named.ts";
import { readLimit, searchQuery } from "./query.ts";
import type { SemanticOutcome } from "./semantic.ts";

type Answer = Output<typeof contract>;
type MatchedField = Answer["results"][number]["matched_in"][number];

/** Only the read worker gets `meant` as a part of the input. */
type SearchInput = Input<typeof contract> & { readonly meant?: SemanticOutcome };

/**
 * Searches by words, by meaning, or by both, and reports which of them was used (docs/contract/search.md#2-the-route).
 * What the search by meaning finds comes from `beginMeaning`; without it, words alone are searched.
 */
export async function searchIssues(
  deps: Pick<ReadDeps, "store" | "meant">,
  _who: Principal,
  input: SearchInput,
): Promise<Answer> {
  const { query } = input;
  const found = await search(deps, input);
  if (query.max_bytes === undefined) return withinBudget(query, found, "results", RESULT_ROWS);
  // One more result was read than asked for, to know whether there is more.
  const limit = readLimit(query) - 1;
  const answer = { ...found, results: found.results.slice(0, limit) };
  const more = found.results.length > limit;
  return withinBudget(query, answer, "results", { ...RESULT_ROWS, more });
}

async function search(
  { store, meant: begun }: Pick<ReadDeps, "store" | "meant">,
  {
    params,
    query,
    meant = begun,
  }: Omit<SearchInput, "meant"> & { readonly meant?: SemanticOutcome | Promise<SemanticOutcome> },
): Promise<Answer> {
  if (meant === undefined) {
    return await store.read(async (reader) => {
      const project = await requireProject(reader, params.project_id);
      const ask = searchQuery(project, query);
      return await answerOf(reader, ask, "lexical", await byWords(reader, project, ask));
    });
  }
  const words = await store.read(async (reader) => {
    const project = await requireProject(reader, params.project_id);
    const ask = searchQuery(project, query);
    if (query.mode === "semantic") return { ask, hits: [] };
    const limit = candidatesPerSource(ask.limit);
    return { ask, hits: await byWords(reader, project, { ...ask, limit }) };
  });
  const found = await meant;
  return await store.read(async (reader) => {
    const { ask, hits } = words;
    if ("fallen" in found) {
      const answer = await answerOf(reader, ask, "lexical", hits);
      return { ...answer, degraded: true, degraded_reason: UNAVAILABLE[found.fallen] };
    }
    const near = await liveHits(reader, ask, found.hits);
    return found.lexical
      ? await answerOf(reader, ask, "hybrid", fuseResults(ask.text, hits, near))
      : await answerOf(reader, ask, "semantic", near);
  });
}

/** Searches by words. An issue that the query names comes before the issues that contain its words. */
async function byWords(
  reader: Reader,
  project: StoredProject,
  ask: SearchQuery,
): Promise<readonly FoundIssue[]> {
  const hits = await reader.search.lexical(ask);
  const named = await namedBy(reader, project, ask);
  const first = named.map((issue): FoundIssue => {
    const hit = hits.find((one) => one.issue.uid === issue.uid);
    return { ...hit, issue, score: NAMED, matched_in: hit?.matched_in ?? [], matched: "id" };
  });
  const uids = new Set(named.map(({ uid }) => uid));
  return [...first, ...hits.filter(({ issue }) => !uids.has(issue.uid))];
}

/**
 * The score of an issue that the query names. Issues that only contain the words score less (`store/text/lexical.ts`).
 */
const NAMED = 5;

interface FoundIssue {
  readonly issue: StoredIssue;
  readonly score: number;
  readonly matched_in: readonly MatchedField[];
  readonly matched?: Answer["results"][number]["matched"];
  readonly excerpt?: string | undefined;
}

/**
 * Returns the hits that are near enough to the query and whose issues match the filter. Hits of issues that have moved
 * or were deleted are dropped. These checks are needed because the semantic index does not apply the filter, and may be
 * older than the tables.
 */
async function liveHits(
  reader: Reader,
  ask: SearchQuery,
  hits: readonly { readonly issue_uid: string; readonly cosine: number }[],
): Promise<readonly FoundIssue[]> {
  const near = hits.filter(({ cosine }) => cosine >= LEAST_COSINE);
  const issues = await reader.issues.many(near.map(({ issue_uid }) => issue_uid));
  const kept = await reader.search.satisfying(
    ask,
    [...issues.values()].map(({ id }) => id),
  );
  return near.flatMap(({ issue_uid, cosine }): readonly FoundIssue[] => {
    const issue = issues.get(issue_uid);
    const live = issue !== undefined && issue.deleted_at === null && kept.has(issue.id);
    return live ? [{ issue, score: cosine, matched_in: ["semantic"] }] : [];
  });
}

function fuseResults(
  text: string,
  words: readonly FoundIssue[],
  near: readonly FoundIssue[],
): readonly FoundIssue[] {
  const found = new Map<string, FoundIssue>();
  for (const hit of [...words, ...near]) {
    const known = found.get(hit.issue.uid);
    const matched_in = [...(known?.matched_in ?? []), ...hit.matched_in];
    found.set(hit.issue.uid, { ...hit, ...known, matched_in });
  }
  const ranked = words.map(({ issue, matched }) => ({
    uid: issue.uid,
    pinned: matched === "id" || hasSameWords(issue.title, text),
  }));
  const nearest = near.map(({ issue }) => issue.uid);
  const order = hybridOrder(ranked, nearest, (a, b) =>
    lastChangedFirst(found.get(a), found.get(b)),
  );
  return order.flatMap(({ uid, score }) => {
    const hit = found.get(uid);
    return hit === undefined ? [] : [{ ...hit, score }];
  });
}

function lastChangedFirst(a: FoundIssue | undefined, b: FoundIssue | undefined): number {
  if (a === undefined || b === undefined) return 0;
  const [one, other] = [a.issue.updated_at, b.issue.updated_at];
  if (one !== other) return one < other ? 1 : -1;
  return a.issue.id - b.issue.id;
}

async function answerOf(
  reader: Reader,
  { text, limit }: SearchQuery,
  mode: Answer["mode"],
  found: readonly FoundIssue[],
): Promise<Answer> {
  const hits = found.slice(0, limit);
  const issues = await issuesOut(
    reader,
    hits.map(({ issue }) => issue),
  );
  const results = hits.flatMap(({ score, matched_in, matched, excerpt }, at) => {
    const issue = issues[at];
    if (issue === undefined) return [];
    return [
      {
        issue,
        score,
        matched_in: [...matched_in],
        ...(matched === undefined ? {} : { matched }),
        ...(excerpt === undefined ? {} : { excerpt }),
      },
    ];
  });
  return { query: text, mode, results };
}

const RESULT_ROWS = {
  pick: (row: Answer["results"][number], fields: (issue: object) => object) => ({
    ...row,
    issue: fields(row.issue),
  }),
};
