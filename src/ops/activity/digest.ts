import { jsonBytes } from "../../base/json-bytes.ts";
import { yieldToLoop } from "../../base/yield-to-loop.ts";
import type {
  digestGlobal as globalContract,
  digestProject as projectContract,
} from "../../contract/activity.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { Action } from "../../domain/digest.ts";
import type { Activity, Span, TimeCursor } from "../../store/types/events.ts";
import type { IssueName } from "../../store/types/issues.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { ReadDeps, ReadOp } from "../deps.ts";
import { requireProject } from "../find.ts";
import { archivedProjects } from "../projects/find.ts";
import { spanOf } from "./span.ts";
import { type ActorTally, Tally } from "./tally.ts";

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

async function digest(
  { store, clock }: Pick<ReadDeps, "store" | "clock">,
  query: Query,
  project?: StoredProject,
): Promise<Digest> {
  const span = spanOf(query, clock);
  const hidden = project === undefined ? await store.read(archivedProjects) : NONE;
  const scoped = { ...span, ...(project === undefined ? {} : { project_uid: project.uid }) };
  const tally = new Tally(hidden, timeLimit(clock));
  for await (const events of eventsDuring(store, scoped, query.actor))
    if (!tally.add(events)) break;
  const { totals, actors, event_count, counted_until } = tally;
  const { max_bytes: maxBytes = 0 } = query;
  const most = maxBytes === 0 ? Number.POSITIVE_INFINITY : Math.ceil(maxBytes / LEAST_ISSUE_BYTES);
  const names = await namesOf(store, actors.values(), most);
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
      issues: [...done.issues]
        .slice(0, most)
        .flatMap(([uid, actions]) => issueOut(names.get(uid), actions)),
      ...(done.issues.size > most ? { issue_count: done.issues.size } : {}),
    })),
  };
  return query.max_bytes === undefined ? whole : boundedDigest(whole, maxBytes);
}

/**
 * Bytes reserved for the JSON around the rows: the span, the totals, and the key `svc_api_version`, which commands add
 * at the beginning.
 */
const AROUND_BYTES = 1024;

/**
 * Cuts the lists of issues, so that the digest fits into `maxBytes`. All actors and totals stay. The remaining bytes
 * are shared equally among the actors; bytes that an actor with few issues does not use go to the actors after it.
 */
function boundedDigest(whole: Digest, maxBytes: number): Digest {
  const bare = whole.actors.map((actor) => ({ ...actor, issues: [] }));
  let left = maxBytes === 0 ? Number.POSITIVE_INFINITY : maxBytes - AROUND_BYTES - jsonBytes(bare);
  const actors = whole.actors.map((actor, at) => {
    let share = left / (whole.actors.length - at);
    const kept = actor.issues.findIndex((issue) => (share -= jsonBytes(issue) + 1) < 0);
    const issues = kept === -1 ? actor.issues : actor.issues.slice(0, kept);
    left -= jsonBytes(issues);
    return issues.length === actor.issues.length
      ? actor
      : { ...actor, issue_count: actor.issue_count ?? actor.issues.length, issues };
  });
  const count = actors.reduce((sum, { issues }) => sum + issues.length, 0);
  const isCut = actors.some((actor) => "issue_count" in actor);
  return { ...whole, ...(isCut ? { truncated: true } : {}), count, actors };
}

/**
 * How long a digest may read events. Together with reading the names of the issues, this keeps the answer within five
 * seconds.
 */
const READING_MS = 2500;

function timeLimit(clock: Pick<ReadDeps["clock"], "nowMs">): () => boolean {
  const end = clock.nowMs() + READING_MS;
  return () => clock.nowMs() < end;
}

/** How many events are read before the event loop may do other work, since a digest may read the whole log. */
const SLICE = 500;

/**
 * Yields the events of the span in portions, in the order of their times. With `actors`, only the events of these
 * actors.
 */
async function* eventsDuring(
  store: ReadDeps["store"],
  span: Span,
  actors: readonly string[] | undefined,
): AsyncGenerator<readonly Activity[]> {
  if (actors === undefined) return yield* slicesOf(store, span);
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
    yield [head.value];
    heads[first] = await stream.next();
  }
}

function isBefore(one: Activity, other: Activity): boolean {
  return one.created_at === other.created_at
    ? one.id < other.id
    : one.created_at < other.created_at;
}

type ActorSpan = Span & { readonly actor?: string };

async function* eventsOf(store: ReadDeps["store"], span: ActorSpan): AsyncGenerator<Activity> {
  for await (const slice of slicesOf(store, span)) yield* slice;
}

async function* slicesOf(
  store: ReadDeps["store"],
  span: ActorSpan,
): AsyncGenerator<readonly Activity[], void, void> {
  let after: TimeCursor | undefined;
  for (;;) {
    const from = after;
    const slice = await store.read(async ({ events }) => await events.during(span, from, SLICE));
    yield slice;
    if (slice.length < SLICE) return;
    after = slice.at(-1);
    await yieldToLoop();
  }
}

/** Reads the names of at most `most` issues of each actor. */
async function namesOf(
  store: ReadDeps["store"],
  done: Iterable<ActorTally>,
  most: number,
): Promise<ReadonlyMap<string, IssueName>> {
  const uids = [...new Set([...done].flatMap(({ issues }) => [...issues.keys()].slice(0, most)))];
  const found = new Map<string, IssueName>();
  for (let start = 0; start < uids.length; start += SLICE) {
    const slice = uids.slice(start, start + SLICE);
    const names = await store.read(async ({ issues }) => await issues.names(slice));
    for (const [uid, issue] of names) found.set(uid, issue);
    await yieldToLoop();
  }
  return found;
}

/**
 * The smallest JSON size of an issue: all its texts are empty. For each actor, no more issues are read than would fit
 * at this size.
 */
const LEAST_ISSUE_BYTES = jsonBytes({
  project_id: 0,
  project_name: "",
  issue_uid: "",
  issue_short_id: "",
  actions: [],
});

function issueOut(issue: IssueName | undefined, actions: ReadonlySet<Action>) {
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
