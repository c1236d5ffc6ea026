import {
  DIGEST_ACTIONS,
  type digestGlobal as globalContract,
  type digestProject as projectContract,
} from "../../contract/activity.ts";
import type { StoredEvent } from "../../contract/events.ts";
import type { Input, Output } from "../../contract/route.ts";
import { type Action, type Counts, countsOf } from "../../domain/digest.ts";
import type { Reader, StoredIssue, StoredProject, TimeCursor } from "../../store/types.ts";
import type { Deps, Principal } from "../deps.ts";
import { requireProject } from "../find.ts";
import { spanOf } from "./span.ts";

type Query = Input<typeof globalContract>["query"];
type Digest = Output<typeof globalContract>;

export async function digestGlobal(
  deps: Pick<Deps, "store" | "clock">,
  _who: Principal,
  { query }: Input<typeof globalContract>,
): Promise<Digest> {
  return await deps.store.read(async (reader) => await digest(deps, reader, query));
}

export async function digestProject(
  deps: Pick<Deps, "store" | "clock">,
  _who: Principal,
  { params, query }: Input<typeof projectContract>,
): Promise<Digest> {
  return await deps.store.read(async (reader) => {
    const project = await requireProject(reader, params.project_id);
    return await digest(deps, reader, query, project);
  });
}

type Totals = Record<Action, number>;

/** What one actor did: all of it, and to each issue, in the order of the log. */
interface Done {
  readonly totals: Totals;
  readonly issues: Map<string, Set<Action>>;
}

async function digest(
  deps: Pick<Deps, "clock">,
  reader: Reader,
  query: Query,
  project?: StoredProject,
): Promise<Digest> {
  const span = spanOf(query, deps.clock);
  const wanted = query.actor === undefined ? undefined : new Set(query.actor);
  const totals = noTotals();
  const actors = new Map<string, Done>();
  let event_count = 0;
  const scoped = { ...span, ...(project === undefined ? {} : { project_uid: project.uid }) };
  for await (const event of eventsDuring(reader, scoped)) {
    if (wanted !== undefined && !wanted.has(event.actor)) continue;
    const counts = countsOf(event);
    if (counts === undefined) continue;
    event_count++;
    const done = actors.get(event.actor) ?? { totals: noTotals(), issues: new Map() };
    actors.set(event.actor, done);
    add(totals, counts);
    add(done.totals, counts);
    note(done, event, counts);
  }
  const touched = [...actors.values()].flatMap(({ issues }) => [...issues.keys()]);
  const issues = await reader.issues.many([...new Set(touched)]);
  const byName = [...actors].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...span,
    project_id: project?.id ?? 0,
    event_count,
    totals,
    actors: byName.map(([actor, done]) => ({
      actor,
      totals: done.totals,
      issues: [...done.issues].flatMap(([uid, actions]) => issueOut(issues.get(uid), actions)),
    })),
  };
}

const SLICE = 1000;

async function* eventsDuring(
  reader: Reader,
  span: Parameters<Reader["events"]["during"]>[0],
): AsyncGenerator<StoredEvent> {
  let after: TimeCursor | undefined;
  for (;;) {
    const slice = await reader.events.during(span, after, SLICE);
    yield* slice;
    if (slice.length < SLICE) return;
    after = slice.at(-1);
  }
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
