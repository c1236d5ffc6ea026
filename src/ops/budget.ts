import { jsonBytes } from "../base/json-bytes.ts";
import { invalidField } from "../contract/errors.ts";
import { ISSUE_FIELDS } from "../contract/list-budget.ts";
import { shortIssue } from "../domain/short-issue.ts";
import { DeferredField, StreamedRows } from "./streamed-rows.ts";

export interface BudgetQuery {
  readonly fields?: string | undefined;
  readonly max_bytes?: number | undefined;
}

interface RowsOf<T> {
  /** Returns the cursor of a page that begins after the row. Not set if the list has no pages. */
  placeOf?(row: T): string | number;
  /** Applies `fields` to the issue in a row. Without this function the row itself is the issue. */
  pick?(row: T, fields: PickFields): object;
  /** True if a limit cut the list and no next page can continue it. */
  readonly more?: boolean;
}

type PickFields = (issue: object) => object;

/**
 * Bytes reserved for the JSON around the rows: a cursor, counts, and the key `svc_api_version`, which commands add at
 * the beginning.
 */
const AROUND_BYTES = 512;

/**
 * Applies `fields` and `max_bytes` to the rows of an answer, and adds `count`, `truncated` and `next_after`.
 *
 * - The answer to a request without `fields` and `max_bytes` is not changed.
 * - The first row is always returned, because otherwise a reader could not get past it.
 * - If the first row alone exceeds `max_bytes`, the long fields of its issue (lists, metadata, body) are cut.
 */
export function withinBudget<A extends object, T extends object>(
  query: BudgetQuery,
  answer: A,
  name: string,
  rowsOf: RowsOf<T> = {},
): A {
  const { fields, max_bytes } = query;
  if (fields === undefined && max_bytes === undefined) return answer;
  const allRows = (answer as Record<string, unknown>)[name] as readonly T[] | StreamedRows<T>;
  const { next_after, ...rest } = answer as A & { readonly next_after?: unknown };
  const cut = new Cut<T>(query, rowsOf, next_after);
  if (allRows instanceof StreamedRows) {
    return {
      ...rest,
      [name]: new StreamedRows(cut.parts(allRows.parts)),
      count: new DeferredField(() => cut.count),
      truncated: new DeferredField(() => cut.truncated),
      next_after: new DeferredField(() => cut.next),
    } as A;
  }
  const rows = cut.rows(allRows);
  const { count, truncated, next } = cut;
  return {
    ...rest,
    [name]: rows,
    ...(count === undefined ? {} : { count }),
    ...(truncated === undefined ? {} : { truncated }),
    ...(next === undefined ? {} : { next_after: next }),
  } as A;
}

interface EventPage {
  readonly events: readonly { readonly event_id: number }[];
  readonly next_after_id: number;
}

/**
 * How many events to read for a page of `limit` events. With `max_bytes`, one more event is read, because the answer
 * says whether there are more.
 */
export function eventsToRead({ max_bytes }: BudgetQuery, limit: number): number {
  return max_bytes === undefined ? limit : limit + 1;
}

/** Applies `fields` and `max_bytes` to a page of events. The next page begins after the last event of this one. */
export function eventsWithin<A extends EventPage>(query: BudgetQuery, page: A, limit: number): A {
  const events = page.events.slice(0, limit);
  const later = events.length < page.events.length ? events.at(-1)?.event_id : undefined;
  const { next_after, ...bounded } = withinBudget<
    A & { readonly next_after?: number | undefined },
    A["events"][number]
  >(query, { ...page, events, next_after: later }, "events", {
    placeOf: ({ event_id }) => event_id,
  });
  return (next_after === undefined ? bounded : { ...bounded, next_after_id: next_after }) as A;
}

class Cut<T extends object> {
  readonly #query: BudgetQuery;
  readonly #of: RowsOf<T>;
  readonly #fields: PickFields;
  /** The cursor of the next page if all rows fit into `max_bytes`; undefined if there is no next page. */
  readonly #after: unknown;
  #left: number;
  #count = 0;
  #isFull = false;
  #place: string | number | undefined;

  constructor(query: BudgetQuery, of: RowsOf<T>, after: unknown) {
    this.#query = query;
    this.#of = of;
    this.#after = after;
    this.#fields = fieldsOf(query.fields);
    const { max_bytes = 0 } = query;
    this.#left = max_bytes === 0 ? Number.POSITIVE_INFINITY : max_bytes - AROUND_BYTES;
  }

  get count(): number | undefined {
    return this.#query.max_bytes === undefined ? undefined : this.#count;
  }

  get truncated(): true | undefined {
    return this.#query.max_bytes !== undefined &&
      (this.#isFull || this.#later !== undefined || this.#of.more === true)
      ? true
      : undefined;
  }

  get next(): unknown {
    return this.#isFull ? this.#place : this.#later;
  }

  get #later(): unknown {
    return this.#after instanceof DeferredField ? this.#after.value() : this.#after;
  }

  rows(rows: readonly T[]): readonly object[] {
    const kept: object[] = [];
    for (const row of rows) {
      const { pick = (whole: T, fields: PickFields) => fields(whole) } = this.#of;
      const shown = pick(row, this.#fields);
      if (Number.isFinite(this.#left)) this.#left -= jsonBytes(shown) + 1;
      const over = -this.#left;
      if (over > 0 && this.#count > 0) {
        this.#isFull = true;
        return kept;
      }
      kept.push(over > 0 ? pick(row, (issue) => shortIssue(this.#fields(issue), over)) : shown);
      this.#count += 1;
      this.#place = this.#of.placeOf?.(row);
    }
    return kept;
  }

  async *parts(parts: AsyncIterable<readonly T[]>): AsyncGenerator<readonly object[], void, void> {
    for await (const part of parts) {
      yield this.rows(part);
      if (this.#isFull) return;
    }
  }
}

/**
 * Parses the parameter `fields`. Returns a function that keeps only the wanted fields of an issue. `title,owner` keeps
 * these two fields, and `-body` keeps all fields but the body.
 */
function fieldsOf(text: string | undefined): PickFields {
  if (text === undefined) return (issue) => issue;
  const names = text.split(",").map((name) => name.trim());
  const out = names.filter((name) => name.startsWith("-")).map((name) => name.slice(1));
  if (out.length > 0 && out.length < names.length)
    throw invalidField(
      "fields",
      "name what to keep or, with - in front, what to leave out, not both",
    );
  const named = new Set<string>(out.length > 0 ? out : names);
  const unknown = [...named].find((name) => !ISSUE_FIELDS.some((known) => known === name));
  if (unknown !== undefined)
    throw invalidField(
      "fields",
      `${JSON.stringify(unknown)} is none of ${ISSUE_FIELDS.join(", ")}`,
    );
  const isKept = (name: string): boolean => (out.length > 0 ? !named.has(name) : named.has(name));
  return (issue) => Object.fromEntries(Object.entries(issue).filter(([name]) => isKept(name)));
}
