import { invalid } from "../../contract/errors.ts";
import type { IssueFilter, ListOrder } from "../../store/types/issues.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import type { ReadDeps } from "../deps.ts";
import { requireProject } from "../find.ts";
import type { Surroundings } from "../out/issues.ts";
import { listPast } from "../past/list.ts";
import { listPage } from "./page.ts";
import type { ReadyList } from "./rows.ts";

interface ListRequest<T> {
  /** Local id of the project whose issues are listed; without it the issues of all projects are listed. */
  readonly project_id?: number | undefined;
  readonly filter: IssueFilter;
  readonly order: ListOrder;
  readonly ready?: ReadyList;
  out(reader: Surroundings, issues: readonly StoredIssue[]): Promise<readonly T[]>;
}

interface Place {
  readonly at?: string | undefined;
  readonly after?: string | undefined;
}

/** Answers a list route: the list as it is now, one page of it, or the list as it was at a moment of the past. */
export async function answerList<T>(
  deps: ReadDeps,
  { at, after }: Place,
  { project_id, filter, order, ready, out }: ListRequest<T>,
) {
  if (at !== undefined && after !== undefined) throw invalid("at and after exclude each other");
  const scope = async (reader: Reader): Promise<IssueFilter> => {
    if (project_id === undefined) return filter;
    return { ...filter, project_uid: (await requireProject(reader, project_id)).uid };
  };
  const readyAt = ready === undefined ? {} : { ready: { ...ready, now: deps.clock.now() } };
  if (at !== undefined)
    return await listPast(
      deps,
      at,
      async (reader) => ({ filter: await scope(reader), order, ...readyAt }),
      out,
    );
  return await deps.store.read(async (reader) => {
    const list = { filter: await scope(reader), order, ...readyAt };
    return await listPage(deps, reader, list, after, async (issues) => await out(reader, issues));
  });
}
