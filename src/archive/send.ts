import type { importIssues } from "../contract/imports.ts";
import type { Input, Output } from "../contract/route.ts";
import { ImportTotals, type SendResult } from "./import-totals.ts";

type Item = Input<typeof importIssues>["body"]["items"][number];
type Batch = Output<typeof importIssues>;

/**
 * Limits of a batch, which is one transaction of the daemon: small enough that other writers hardly wait, large
 * enough for speed.
 */
const MAX_ITEMS = 500;
const MAX_CHARACTERS = 1024 * 1024;

export interface ItemsToSend {
  readonly count: number;
  /** How many of the issues have links. */
  readonly linked: number;
  /** Consumed lazily: the issues of a batch are read after the previous batch was sent. */
  readonly items: Iterable<Item>;
  /** The ids of all items. */
  readonly ids: readonly string[];
  /** Issues that the source has deleted. */
  readonly removed: readonly string[];
}

/**
 * Maximum number of requests in flight: while the daemon writes one batch, it has the next one parsed and the one after
 * that at hand, so it never waits for the client.
 */
const UNDER_WAY = 3;

/** What a batch says besides its items. */
export type Gone = Pick<Input<typeof importIssues>["body"], "removed" | "only">;
type Post = (items: Item[], gone?: Gone) => Promise<Batch>;

export interface SendOptions {
  readonly items?: number;
  /** Delete issues that the source brought and that are not among the items. */
  readonly complete?: boolean;
  /** Nothing is kept, so that a second pass would find nothing of the first: links are sent at once. */
  readonly dryRun?: boolean;
}

/**
 * Sends all issues in batches, then those with links again, because a link needs both of its issues. An issue that
 * only gained links in the second pass stays counted as created. Once a batch creates nothing, the issues are there
 * already and are sent with their links at once; such a batch is sent again if a link was refused, since a later one
 * may have made room for it. What the source deleted comes last.
 */
export async function sendItems(
  { count, linked, items, ids, removed }: ItemsToSend,
  post: Post,
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

/** All that is gone by itself if the file is complete; otherwise what the source says to have deleted. */
function* goneBatches(
  ids: readonly string[],
  removed: readonly string[],
  complete: boolean,
): Generator<Gone> {
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
  post: Post,
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
      if (underWay.length === UNDER_WAY) await takeFirst();
    }
    while (underWay.length > 0) await takeFirst();
  } finally {
    const rest = await Promise.allSettled(underWay.map(({ answer }) => answer));
    for (const [at, one] of rest.entries())
      if (one.status === "fulfilled") take(one.value, underWay[at]?.batch ?? []);
  }
}

/** Yields the issues without their links, and collects those with links in `linked`, until all of them are there. */
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
    // An empty list says that the source has no links any more; without a list they stay as they are.
    yield links.length > 0 ? rest : item;
  }
}

/** Splits the issues lazily: a batch is built after the previous one was sent. */
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
