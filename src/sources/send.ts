import { yieldToLoop } from "../base/yield-to-loop.ts";
import type { importIssues } from "../contract/imports.ts";
import type { Input, Output } from "../contract/route.ts";
import { ImportTotals, type SendResult } from "./import-totals.ts";

type Item = Input<typeof importIssues>["body"]["items"][number];
type Batch = Output<typeof importIssues>;

/**
 * The maximum number of issues in a batch, which the daemon writes in one transaction. It is so small that other
 * writers hardly wait, and so large that the import is fast.
 */
const MAX_ITEMS = 500;

/**
 * The maximum size of the issues in a batch, in characters of JSON. The number of issues alone does not limit the work
 * of the daemon, because issues may be large.
 */
const MAX_CHARACTERS = 1024 * 1024;

export interface ItemsToSend {
  readonly count: number;
  /** Number of issues with links. */
  readonly linked: number;
  /** The issues, read lazily: an issue is mapped only when its batch is built. */
  readonly items: Iterable<Item>;
  readonly ids: readonly string[];
  /** The ids of the issues that the source has deleted. */
  readonly removed: readonly string[];
}

/**
 * The maximum number of requests in flight. While the daemon writes one batch, it has already parsed the second and
 * received the third. So it never waits for the client.
 */
const UNDER_WAY = 3;

/** The part of a batch that says which issues the source no longer has. */
export type GoneIssues = Pick<Input<typeof importIssues>["body"], "removed" | "only">;
type PostBatch = (items: Item[], gone?: GoneIssues) => Promise<Batch>;

export interface SendOptions {
  readonly items?: number;
  /**
   * True if the file has all issues of the source. Issues from this source that are not among the items are deleted.
   */
  readonly complete?: boolean;
  /**
   * True for a dry run, in which the daemon stores nothing. In a second pass the daemon would not find the other issues
   * of a link. So each issue is sent only once, with its links.
   */
  readonly dryRun?: boolean;
}

/**
 * Sends all issues in batches, and after them the deletions. A link needs both of its issues, so there are two passes
 * over the issues:
 *
 * - The first pass sends each issue without its links. The second pass sends the issues that have links again, with the
 *   links. An issue that the first pass created still counts as created.
 * - After a batch that created no issue, the next issues probably exist already. So the first pass sends these issues
 *   with their links.
 * - If the daemon refuses a link in the first pass, the second pass sends all issues of that batch that have links
 *   again, because the daemon may accept the link after a later batch.
 */
export async function sendItems(
  { count, linked, items, ids, removed }: ItemsToSend,
  post: PostBatch,
  progress: (sent: number, all: number) => void,
  { items: most = MAX_ITEMS, complete = false, dryRun = false }: SendOptions = {},
): Promise<SendResult> {
  const all = count + (dryRun ? 0 : linked);
  const second = new Set<Item>();
  let areThere = false;
  const totals = new ImportTotals(dryRun ? new Set(ids) : new Set());
  let sent = 0;
  const take = (result: Batch): void => {
    totals.add(result);
    sent += result.items.length;
    progress(Math.min(sent, all), all);
  };
  progress(0, all);
  const takeFirst = (result: Batch, batch: readonly Item[]): void => {
    areThere = result.created === 0;
    const again = batch.filter(({ links = [] }) => links.length > 0);
    const isRefused = !dryRun && result.errors.length > result.missing.length;
    if (isRefused) for (const item of again) second.add(item);
    take(isRefused ? { ...result, errors: result.missing.map(({ error }) => error) } : result);
  };
  const first = dryRun ? items : withoutLinks(items, second, () => areThere);
  await sendInOrder(batches(first, most), post, takeFirst);
  await sendInOrder(batches(second, most), post, take);
  if (sent < all) progress(all, all);
  for (const gone of goneBatches(ids, removed, complete)) take(await post([], gone));
  return totals.result();
}

/**
 * Yields the deletions to send. If the file has all issues of the source (`complete`), yields their ids as `only`: the
 * daemon then deletes every other issue of the source. Otherwise yields the ids that the source names as deleted.
 */
function* goneBatches(
  ids: readonly string[],
  removed: readonly string[],
  complete: boolean,
): Generator<GoneIssues> {
  if (complete) yield { only: [...ids] };
  else
    for (let at = 0; at < removed.length; at += MAX_ITEMS)
      yield { removed: removed.slice(at, at + MAX_ITEMS) };
}

/**
 * Sends the batches and handles their answers in order. After a failed batch nothing more is sent, but the result of a
 * batch that is already in flight is still counted.
 */
async function sendInOrder(
  work: Iterable<Item[]>,
  post: PostBatch,
  take: (result: Batch, batch: readonly Item[]) => void,
): Promise<void> {
  const underWay: { readonly answer: Promise<Batch>; readonly batch: readonly Item[] }[] = [];
  const takeFirst = async (): Promise<void> => {
    const first = underWay.shift();
    if (first !== undefined) take(await first.answer, first.batch);
  };
  try {
    for (const batch of work) {
      const answer = post(batch);
      answer.catch(() => undefined);
      underWay.push({ answer, batch });
      // Let the request go out now, because building the next batch blocks the thread.
      await yieldToLoop();
      if (underWay.length === UNDER_WAY) await takeFirst();
    }
    while (underWay.length > 0) await takeFirst();
  } finally {
    const rest = await Promise.allSettled(underWay.map(({ answer }) => answer));
    for (const [at, one] of rest.entries())
      if (one.status === "fulfilled") take(one.value, underWay[at]?.batch ?? []);
  }
}

/**
 * Yields each issue without its links, and collects in `linked` the issues that have links. While `areThere` returns
 * true, the issues exist already and are yielded with their links.
 */
function* withoutLinks(
  items: Iterable<Item>,
  linked: Set<Item>,
  areThere: () => boolean,
): Generator<Item> {
  for (const item of items) {
    const { links = [], ...rest } = item;
    if (areThere()) {
      yield item;
      continue;
    }
    if (links.length > 0) linked.add(item);
    // An issue that has no links any more is sent with an empty list of links. Without a list, svc would keep the old
    // ones.
    yield links.length > 0 ? rest : item;
  }
}

/** Divides the issues into batches. A batch is built only after the previous batch was sent. */
function* batches(items: Iterable<Item>, most: number): Generator<Item[]> {
  let batch: Item[] = [];
  let size = 0;
  for (const item of items) {
    const length = JSON.stringify(item).length;
    if (batch.length > 0 && (batch.length >= most || size + length > MAX_CHARACTERS)) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(item);
    size += length;
  }
  if (batch.length > 0) yield batch;
}
