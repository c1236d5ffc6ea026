import type { StoredEvent } from "../../contract/events.ts";
import { evolve, touches } from "../../domain/evolve/evolve.ts";
import type { Change, Touches } from "../../domain/state.ts";
import { load } from "../load/load.ts";
import { applyEvent, withShortIds, writeChanges } from "./apply-event.ts";
import { collectChanges, noEffect } from "./collect-changes.ts";
import type { FoldContext } from "./context.ts";

/**
 * Folds events with the same result as repeated calls of `applyEvent`. The rows that the events need are loaded once,
 * the events are folded in memory, and only the final differences are written. `folded` is called after each event,
 * while the rows in memory are as this event left them. An event that needs whole lists of rows is folded alone,
 * because these lists are read from the database.
 */
export async function applyPage(
  context: FoldContext,
  events: readonly StoredEvent[],
  folded: (event: StoredEvent) => void,
): Promise<void> {
  for (const page of pages(events)) {
    const [first] = page;
    if (first === undefined) continue;
    if (page.length > 1) await applyTogether(context, page, folded);
    else {
      await applyEvent(context, first);
      folded(first);
    }
  }
}

/** Groups consecutive events that can be folded together. An event that must be folded alone is a group of its own. */
function* pages(events: readonly StoredEvent[]): Generator<readonly StoredEvent[]> {
  let page: StoredEvent[] = [];
  for (const event of events) {
    if (!isAlone(event)) {
      page.push(event);
      continue;
    }
    yield page;
    yield [event];
    page = [];
  }
  yield page;
}

function isAlone({ type }: StoredEvent): boolean {
  const isOfIssue = type.startsWith("issue.") || type.startsWith("claim.");
  return !isOfIssue || type === "issue.moved";
}

async function applyTogether(
  context: FoldContext,
  events: readonly StoredEvent[],
  folded: (event: StoredEvent) => void,
): Promise<void> {
  const { connection, loaded } = context;
  await load(connection, loaded, joined(events.map((event) => touches(event))));
  let page = new Page(context);
  for (const event of await withShortIds(context, events)) {
    const changes = evolve(loaded, event);
    if (page.mustEndBefore(changes)) {
      await page.write();
      page = new Page(context);
    }
    await page.add(changes);
    folded(event);
  }
  await page.write();
}

/**
 * The changes that are written together. The local ids of links depend on the order in which links are added and
 * removed. So a page contains either added or removed links, and ends before the other kind.
 */
class Page {
  readonly #context: FoldContext;
  readonly #effect = noEffect();
  #addsLinks = false;
  #removesLinks = false;

  constructor(context: FoldContext) {
    this.#context = context;
  }

  mustEndBefore(changes: readonly Change[]): boolean {
    const { adds, removes } = linkChanges(changes);
    return (this.#addsLinks && removes) || (this.#removesLinks && adds);
  }

  async add(changes: readonly Change[]): Promise<void> {
    const { adds, removes } = linkChanges(changes);
    this.#addsLinks ||= adds;
    this.#removesLinks ||= removes;
    await collectChanges(this.#context, changes, this.#effect);
  }

  async write(): Promise<void> {
    await writeChanges(this.#context, this.#effect);
  }
}

function linkChanges(changes: readonly Change[]) {
  const links = changes.filter(({ table }) => table === "link");
  return {
    adds: links.some((change) => "put" in change),
    removes: links.some((change) => "remove" in change),
  };
}

function joined(all: readonly Touches[]): Touches {
  const every = <T>(list: (touches: Touches) => readonly T[] | undefined): readonly T[] =>
    all.flatMap((one) => list(one) ?? []);
  const rows = new Map<string, string[]>();
  for (const one of all)
    for (const [table, keys] of Object.entries(one.rows ?? {}))
      rows.set(table, [...(rows.get(table) ?? []), ...keys]);
  return {
    projects: every(({ projects }) => projects),
    issues: every(({ issues }) => issues),
    comments: every(({ comments }) => comments),
    labels: every(({ labels }) => labels),
    links: every(({ links }) => links),
    parentsOf: every(({ parentsOf }) => parentsOf),
    peers: every(({ peers }) => peers),
    waitingOf: every(({ waitingOf }) => waitingOf),
    ancestorsOf: every(({ ancestorsOf }) => ancestorsOf),
    ...(all.some(({ baselines }) => baselines) ? { baselines: true } : {}),
    rows: Object.fromEntries(rows),
  };
}
