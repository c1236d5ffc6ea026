import type { importIssues } from "../contract/imports.ts";
import type { Input, Output } from "../contract/route.ts";

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
}

export interface SendResult {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly comments: number;
  readonly links: number;
  /**
   * Number of issues that differ from the file but were left unchanged, by reason: changed or deleted in svc since the
   * last import.
   */
  readonly reasons: Readonly<Record<string, number>>;
  /** Messages about links that the daemon refused. */
  readonly errors: readonly string[];
}

/**
 * Maximum number of requests in flight: while the daemon writes one batch, it has the next one parsed and the one after
 * that at hand, so it never waits for the client.
 */
const UNDER_WAY = 3;

type Post = (items: Item[]) => Promise<Batch>;

/**
 * Sends all issues in batches, then those with links again, because a link needs both of its issues. An issue that
 * only gained links in the second pass stays counted as created.
 */
export async function sendItems(
  { count, linked, items }: ItemsToSend,
  post: Post,
  progress: (sent: number, all: number) => void,
  portion: { readonly items: number } = { items: MAX_ITEMS },
): Promise<SendResult> {
  const all = count + linked;
  const second: Item[] = [];
  const outcome = new Map<string, Batch["items"][number]>();
  let [sent, comments, links] = [0, 0, 0];
  const errors: string[] = [];
  const take = (result: Batch): void => {
    for (const one of result.items)
      outcome.set(one.external_id, stronger(outcome.get(one.external_id), one));
    comments += result.comments;
    links += result.links;
    errors.push(...result.errors);
    sent += result.items.length;
    progress(sent, all);
  };
  progress(0, all);
  await sendInOrder(batches(withoutLinks(items, second), portion.items), post, take);
  await sendInOrder(batches(second, portion.items), post, take);
  return { ...counted([...outcome.values()]), comments, links, errors };
}

/**
 * Sends the batches and handles their answers in order. After a failed batch nothing more is sent, but the result of a
 * batch that is already in flight is still counted.
 */
async function sendInOrder(
  work: Iterable<Item[]>,
  post: Post,
  take: (result: Batch) => void,
): Promise<void> {
  const underWay: Promise<Batch>[] = [];
  const takeFirst = async (): Promise<void> => {
    const first = underWay.shift();
    if (first !== undefined) take(await first);
  };
  try {
    for (const batch of work) {
      const answer = post(batch);
      answer.catch(() => undefined);
      underWay.push(answer);
      if (underWay.length === UNDER_WAY) await takeFirst();
    }
    while (underWay.length > 0) await takeFirst();
  } finally {
    for (const rest of await Promise.allSettled(underWay))
      if (rest.status === "fulfilled") take(rest.value);
  }
}

/** Yields the issues without their links, and collects those with links in `linked`. */
function* withoutLinks(items: Iterable<Item>, linked: Item[]): Generator<Item> {
  for (const item of items) {
    const { links = [], ...rest } = item;
    if (links.length > 0) linked.push(item);
    yield rest;
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

type Outcome = Batch["items"][number];

const STRENGTH = { unchanged: 0, updated: 1, created: 2 } as const;

function stronger(known: Outcome | undefined, found: Outcome): Outcome {
  return known === undefined || STRENGTH[known.status] < STRENGTH[found.status] ? found : known;
}

function counted(
  outcomes: readonly Outcome[],
): Pick<SendResult, "created" | "updated" | "unchanged" | "reasons"> {
  const having = (status: Outcome["status"]): number =>
    outcomes.filter((one) => one.status === status).length;
  const reasons: Record<string, number> = {};
  for (const { status, reason } of outcomes) {
    if (status === "unchanged" && reason !== undefined)
      reasons[reason] = (reasons[reason] ?? 0) + 1;
  }
  return {
    created: having("created"),
    updated: having("updated"),
    unchanged: having("unchanged"),
    reasons,
  };
}
