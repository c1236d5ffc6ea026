import type { Instant } from "../../base/clock.ts";
import { jsonBytes } from "../../base/json-bytes.ts";
import { yieldToLoop } from "../../base/yield-to-loop.ts";
import {
  DIGEST_ACTIONS,
  type digestGlobal as globalContract,
  type digestProject as projectContract,
} from "../../contract/activity.ts";
import type { StoredEvent } from "../../contract/events.ts";
import type { Input, Output } from "../../contract/route.ts";
import { type Action, type Counts, countsOf } from "../../domain/digest.ts";
import { feedOf } from "../../domain/event-filter.ts";
import type { Span, TimeCursor } from "../../store/types/events.ts";
import type { StoredIssue, StoredProject } from "../../store/types/rows.ts";
import type { ReadDeps, ReadOp } from "../deps.ts";
import { requireProject } from "../find.ts";
import { archivedProjects } from "../projects/find.ts";
import { spanOf } from "./span.ts";

type Query = Input<typeof globalContract>["query"];
type Digest = Output<typeof globalContract>;

export const digestGlobal: ReadOp<typeof globalContract, "store" | "clock"> = async (
  deps,
  _who,
  { query },
) => await digest(deps, query);

export const digestProject: ReadOp<typeof projectContract, "store" | "clock"> = async (
  deps,
  _who,
  { params, query },
) => {
  const project = await deps.store.read(
    async (reader) => await requireProject(reader, params.project_id),
  );
  return await digest(deps, query, project);
};

const NONE: ReadonlySet<string> = new Set();

type Totals = Record<Action, number>;

/** What one actor did: in total, and per issue in the order of the log. */
interface Done {
  readonly totals: Totals;
  readonly issues: Map<string, Set<Action>>;
}

async function digest(
  { store, clock }: Pick<ReadDeps, "store" | "clock">,
  query: Query,
  project?: StoredProject,
): Promise<Digest> {
  const span = spanOf(query, clock);
  const totals = noTotals();
  const actors = new Map<string, Done>();
  let event_count = 0;
  const hidden = project === undefined ? await store.read(archivedProjects) : NONE;
  const scoped = { ...span, ...(project === undefined ? {} : { project_uid: project.uid }) };
  const within = timeLimit(clock);
  let counted_until: Instant | undefined;
  let last: Instant | undefined;
  for await (const event of eventsDuring(store, scoped, query.actor)) {
    // Events of the same instant are counted together, so that another digest can go on behind this instant.
    if (last !== undefined && event.created_at !== last && !within()) {
      counted_until = last;
      break;
    }
    last = event.created_at;
    const counts = countsOf(event);
    if (counts === undefined || hidden.has(feedOf(event))) continue;
    event_count++;
    const done = actors.get(event.actor) ?? { totals: noTotals(), issues: new Map() };
    actors.set(event.actor, done);
    add(totals, counts);
    add(done.totals, counts);
    note(done, event, counts);
  }
  const issues = await issuesOf(store, actors.values());
  const byName = [...actors].sort(([a], [b]) => (a < b ? -1 : 1));
  const whole = {
    ...span,
    project_id: project?.id ?? 0,
    event_count,
    totals,
    ...(counted_until === undefined ? {} : { counted_until, truncated: true }),
    actors: byName.map(([actor, done]) => ({
      actor,
      totals: done.totals,
      issues: [...done.issues].flatMap(([uid, actions]) => issueOut(issues.get(uid), actions)),
    })),
  };
  return query.max_bytes === undefined ? whole : bounded(whole, query.max_bytes);
}

/**
 * Bytes reserved for the JSON around the rows: the span, the totals, and the key `svc_api_version` that commands put in
 * front.
 */
const AROUND_BYTES = 1024;

/**
 * Cuts the lists of issues, so that the digest fits into `maxBytes`. All actors and totals stay. The remaining bytes
 * are shared equally among the actors; bytes that an actor with few issues does not use go to the actors after it.
 */
function bounded(whole: Digest, maxBytes: number): Digest {
  const bare = whole.actors.map((actor) => ({ ...actor, issues: [] }));
  let left = maxBytes === 0 ? Number.POSITIVE_INFINITY : maxBytes - AROUND_BYTES - jsonBytes(bare);
  const actors = whole.actors.map((actor, at) => {
    let share = left / (whole.actors.length - at);
    const kept = actor.issues.findIndex((issue) => (share -= jsonBytes(issue) + 1) < 0);
    const issues = kept === -1 ? actor.issues : actor.issues.slice(0, kept);
    left -= jsonBytes(issues);
    return issues.length === actor.issues.length
      ? actor
      : { ...actor, issue_count: actor.issues.length, issues };
  });
  const count = actors.reduce((sum, { issues }) => sum + issues.length, 0);
  const isCut = actors.some((actor) => "issue_count" in actor);
  return { ...whole, ...(isCut ? { truncated: true } : {}), count, actors };
}

/** How long a digest reads events. With the names of their issues it then answers within five seconds. */
const READING_MS = 2500;

function timeLimit(clock: Pick<ReadDeps["clock"], "nowMs">): () => boolean {
  const end = clock.nowMs() + READING_MS;
  return () => clock.nowMs() < end;
}

/** How many events are read before the event loop may do other work, since a digest may read the whole log. */
const SLICE = 500;

/** Yields the events of the span, of these actors only if some are given, in the order of their times. */
async function* eventsDuring(
  store: ReadDeps["store"],
  span: Span,
  actors: readonly string[] | undefined,
): AsyncGenerator<StoredEvent> {
  if (actors === undefined) return yield* eventsOf(store, span);
  const streams = [...new Set(actors)].map((actor) => eventsOf(store, { ...span, actor }));
  const heads = await Promise.all(streams.map(async (stream) => await stream.next()));
  for (;;) {
    const first = heads.reduce<number | undefined>((found, head, at) => {
      const other = found === undefined ? undefined : heads[found];
      if (head.done === true) return found;
      return other === undefined || other.done === true || isBefore(head.value, other.value)
        ? at
        : found;
    }, undefined);
    const [head, stream] = first === undefined ? [] : [heads[first], streams[first]];
    if (first === undefined || head?.done !== false || stream === undefined) return;
    yield head.value;
    heads[first] = await stream.next();
  }
}

function isBefore(one: StoredEvent, other: StoredEvent): boolean {
  return one.created_at === other.created_at
    ? one.id < other.id
    : one.created_at < other.created_at;
}

async function* eventsOf(
  store: ReadDeps["store"],
  span: Span & { readonly actor?: string },
): AsyncGenerator<StoredEvent, void, void> {
  let after: TimeCursor | undefined;
  for (;;) {
    const from = after;
    const slice = await store.read(async ({ events }) => await events.during(span, from, SLICE));
    yield* slice;
    if (slice.length < SLICE) return;
    after = slice.at(-1);
    await yieldToLoop();
  }
}

async function issuesOf(
  store: ReadDeps["store"],
  done: Iterable<Done>,
): Promise<ReadonlyMap<string, StoredIssue>> {
  const uids = [...new Set([...done].flatMap(({ issues }) => [...issues.keys()]))];
  const found = new Map<string, StoredIssue>();
  for (let start = 0; start < uids.length; start += SLICE) {
    const slice = uids.slice(start, start + SLICE);
    const issues = await store.read(async (reader) => await reader.issues.many(slice));
    for (const [uid, issue] of issues) found.set(uid, issue);
    await yieldToLoop();
  }
  return found;
}

function noTotals(): Totals {
  return Object.fromEntries(DIGEST_ACTIONS.map((action) => [action, 0])) as Totals;
}

function add(totals: Totals, counts: Counts): void {
  for (const action of DIGEST_ACTIONS) totals[action] += counts[action] ?? 0;
}

function note(done: Done, { issue_uid }: StoredEvent, counts: Counts): void {
  if (issue_uid === undefined) return;
  const actions = done.issues.get(issue_uid) ?? new Set();
  done.issues.set(issue_uid, actions);
  for (const action of DIGEST_ACTIONS) if (counts[action] !== undefined) actions.add(action);
}

function issueOut(issue: StoredIssue | undefined, actions: ReadonlySet<Action>) {
  if (issue === undefined) return [];
  return [
    {
      project_id: issue.project_id,
      project_name: issue.project_name,
      issue_uid: issue.uid,
      issue_short_id: issue.short_id,
      actions: [...actions],
    },
  ];
}
