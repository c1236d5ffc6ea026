import { invalid, invalidField } from "../../contract/errors.ts";
import { type PlacedIssue, type PlaceOrder, placeText } from "../../contract/list-budget.ts";
import type { IssueFilter, ListOrder } from "../../store/types/issues.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import { type BudgetQuery, withinBudget } from "../budget.ts";
import type { ReadDeps } from "../deps.ts";
import { requireProject } from "../find.ts";
import type { IssueList, ReadyList } from "../issue-rows.ts";
import type { IssueRelations } from "../out/issues.ts";
import { listPast } from "../past/list.ts";
import { readWholeAnswer } from "../streamed-rows.ts";
import { listPage } from "./page.ts";

interface ListRequest<T> {
  /** Local id of the project whose issues are listed; without it the issues of all projects are listed. */
  readonly project_id?: number | undefined;
  readonly filter: IssueFilter;
  readonly order: ListOrder;
  readonly ready?: ReadyList;
  out(reader: IssueRelations, issues: readonly StoredIssue[]): Promise<readonly T[]>;
}

interface ListQuery extends BudgetQuery {
  readonly at?: string | undefined;
  readonly after?: string | undefined;
}

/** Answers a list route: the list as it is now, one page of it, or the list as it was at a moment of the past. */
export async function answerList<T extends PlacedIssue>(
  deps: ReadDeps,
  query: ListQuery,
  request: ListRequest<T>,
) {
  const order: PlaceOrder = request.ready?.order === "take" ? "take" : request.order;
  requirePlaceOf(order, query.after);
  const placeOf = (row: T): string => placeText(row, order);
  const { at, after } = query;
  if (at !== undefined && after !== undefined) throw invalid("at and after exclude each other");
  if (at === undefined) {
    return await deps.store.read(async (reader) => {
      const list = await currentList(deps, reader, query, request);
      const answer = withinBudget(query, list, "issues", { placeOf });
      return deps.streams === true ? answer : await readWholeAnswer(answer);
    });
  }
  // A list of a past moment has no pages.
  const { more, ...list } = await listPast(
    deps,
    at,
    async (reader) => await listOf(deps, reader, request),
    request.out,
  );
  return withinBudget(query, list, "issues", { more });
}

/**
 * Throws if the cursor is from a list of another order. Only a cursor of the order `take` has a third part, the rank.
 */
function requirePlaceOf(order: PlaceOrder, after: string | undefined): void {
  if (after === undefined || after === "") return;
  if ((after.split("_").length === 3) === (order === "take")) return;
  throw invalidField("after", "this place is in a list of another order");
}

async function currentList<T>(
  deps: ReadDeps,
  reader: Reader,
  { after, max_bytes }: ListQuery,
  request: ListRequest<T>,
) {
  const list = await listOf(deps, reader, request);
  const shown = async (issues: readonly StoredIssue[]) => await request.out(reader, issues);
  if (after !== undefined || max_bytes === undefined)
    return await listPage(deps, reader, list, after, shown);
  const { as_of: _, ...page } = await listPage(deps, reader, list, "", shown);
  return page;
}

async function listOf<T>(
  deps: ReadDeps,
  reader: Reader,
  { project_id, filter, order, ready }: ListRequest<T>,
): Promise<IssueList> {
  const scopedFilter: IssueFilter =
    project_id === undefined
      ? filter
      : { ...filter, project_uid: (await requireProject(reader, project_id)).uid };
  const readyAt = ready === undefined ? {} : { ready: { ...ready, now: deps.clock.now() } };
  return { filter: scopedFilter, order, ...readyAt };
}
