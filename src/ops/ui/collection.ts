import { NeedsWorker } from "../../base/budget.ts";
import type { IssuePeer } from "../../store/types/issues.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import type { ReadDeps } from "../deps.ts";
import { type IssueList, issueSlices, shortList } from "../issue-rows.ts";
import type { IssueSearch } from "./snapshot-request.ts";

type CollectionDeps = Pick<ReadDeps, "smallWorkOnly" | "streams">;

/** The issues that a browser page lists. They are read once and in parts. */
export class Collection {
  readonly #deps: CollectionDeps;
  readonly #reader: Reader;
  /** The search for the issues; `undefined` if no issue can match. */
  readonly #sought: IssueSearch | undefined;
  readonly #limit: number;
  /** The issues that were read so far, by uid and without their texts. Links that are read later refer to them. */
  readonly ends = new Map<string, IssuePeer>();
  /** True if the limit left out issues; known only when all parts have been read. */
  truncated = false;

  constructor(
    deps: CollectionDeps,
    reader: Reader,
    sought: IssueSearch | undefined,
    limit: number,
  ) {
    this.#deps = deps;
    this.#reader = reader;
    this.#sought = sought;
    this.#limit = limit;
  }

  /**
   * Yields the issues in parts, up to the limit. Reads one issue more than the limit, to find out whether issues are
   * left out.
   */
  async *parts(): AsyncGenerator<readonly StoredIssue[], void, void> {
    if (this.#sought === undefined) return;
    const { accepts } = this.#sought;
    for await (const issues of this.#findIssues(this.#sought)) {
      const fitting = accepts === undefined ? issues : issues.filter(accepts);
      const shown = fitting.slice(0, this.#limit - this.ends.size);
      for (const issue of shown) this.ends.set(issue.uid, endOf(issue));
      if (shown.length > 0) yield shown;
      this.truncated = shown.length < fitting.length;
      if (this.truncated) return;
    }
  }

  #findIssues({ filter, ready, accepts }: IssueSearch): AsyncIterable<readonly StoredIssue[]> {
    const limit = this.#limit + 1;
    const list: IssueList = { filter, order: "recent", ...(ready === undefined ? {} : { ready }) };
    if (this.#deps.streams !== true) return this.#batches(list, limit);
    const exact = accepts === undefined ? { ...filter, limit } : filter;
    return issueSlices(this.#reader, { ...list, filter: exact });
  }

  /**
   * Yields the issues in batches. On the daemon's own thread, only one batch is read. If this batch is not enough,
   * `NeedsWorker` is thrown, and a worker repeats the request.
   */
  async *#batches(list: IssueList, limit: number) {
    for (let filter = { ...list.filter, limit }; ; ) {
      const issues = await shortList(this.#deps, this.#reader, { ...list, filter });
      yield issues;
      const last = issues.at(-1);
      if (last === undefined || issues.length < limit) return;
      if (this.#deps.smallWorkOnly === true) throw new NeedsWorker();
      filter = { ...filter, after: { at: last.updated_at, id: last.id } };
    }
  }
}

function endOf(issue: StoredIssue): IssuePeer {
  const { id, uid, short_id, status, deleted_at, project_name, project_deleted_at } = issue;
  return { id, uid, short_id, status, deleted_at, project_name, project_deleted_at };
}
