import { NeedsWorker } from "../../base/budget.ts";
import { addTo } from "../../base/lists.ts";
import { SvcError } from "../../contract/errors.ts";
import type { StoredEvent } from "../../contract/events.ts";
import type { Input, Output } from "../../contract/route.ts";
import type {
  undoGlobal as globalContract,
  undoProject as projectContract,
} from "../../contract/undo.ts";
import { touches } from "../../domain/evolve/evolve.ts";
import { hasExpired } from "../../domain/leases.ts";
import type { Facet } from "../../domain/undo/facets.ts";
import { undoingOf } from "../../domain/undo/kinds.ts";
import { planUndo, type Revert, type UndoPlan } from "../../domain/undo/plan.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import { spanOf } from "../activity/span.ts";
import { actorOf } from "../actor.ts";
import { requireConfirm } from "../confirm.ts";
import type { Deps, Op, Principal } from "../deps.ts";
import { peerOf, requireProject } from "../find.ts";
import { shortIdIn } from "../issues/short-id.ts";
import { expire } from "../leases/lease-request.ts";
import { type Conflict, conflictsOf } from "./checks.ts";
import { draftsOf } from "./drafts.ts";
import { type History, historyOf } from "./load.ts";
import { conflictOut, keptOut, type Names, revertOut } from "./out.ts";
import { changesOf, type PortionRequest, portionsBefore, undoneUntilOf } from "./portions.ts";
import { seriesDraft } from "./series-draft.ts";
import { ofKind } from "./undo-context.ts";

/** How many changes are undone on the daemon's own thread: some milliseconds of work. */
const LITTLE = 10;

type Asked = Pick<Input<typeof globalContract>, "headers" | "body">;
type Answer = Output<typeof globalContract>;
type Uses = "store" | "clock" | "ids" | "smallWorkOnly";

export const undoGlobal: Op<typeof globalContract, Uses> = async (deps, who, input) =>
  await undo(deps, who, input, async () => undefined);

export const undoProject: Op<typeof projectContract, Uses> = async (
  deps,
  who,
  { params, ...input },
) =>
  await undo(deps, who, input, async (reader) => await requireProject(reader, params.project_id));

/**
 * Undoes all changes of one actor in a span of time, or none, as one batch of events by the requesting actor
 * (docs/past.md). Repeating it changes nothing.
 */
async function undo(
  deps: Pick<Deps, Uses>,
  who: Principal,
  { headers, body }: Asked,
  projectOf: (reader: Reader) => Promise<StoredProject | undefined>,
): Promise<Answer> {
  const actor = actorOf(who, body.actor);
  const of_actor = body.of_actor;
  const span = spanOf(body, deps.clock, { allowsInstant: true });
  const undoneUntil = undoneUntilOf(body.undone_until, span);
  const { instanceUid } = deps.store;
  const smallWorkOnly = deps.smallWorkOnly === true;
  const prepare = async (reader: Reader, leaseNow: UndoRequest["leaseNow"]): Promise<Prepared> => {
    const project = await projectOf(reader);
    const scoped = { ...span, ...(project === undefined ? {} : { project_uid: project.uid }) };
    return await prepared(reader, {
      of_actor,
      span: scoped,
      undoneUntil,
      actor,
      instanceUid,
      leaseNow,
      project,
      smallWorkOnly,
    });
  };
  if (body.dry_run === true) {
    return await deps.store.read(
      async (reader) => (await prepare(reader, async () => await deps.store.leaseNow())).answer,
    );
  }
  return await deps.store.write(async (tx) => {
    const { answer, history, plan } = await prepare(tx, async () => await tx.leaseNow());
    if (answer.conflicts.length > 0) throw refusal(answer.conflicts);
    if (plan.reverts.length === 0) return answer;
    requireConfirm(headers["x-svc-confirm"], answer.confirm);
    const batch_uid = deps.ids.ulid();
    const event_ids = await carryOut(tx, { plan, history, actor, batch_uid });
    return { ...answer, changed: true, batch: { batch_uid, actor, at: tx.now, event_ids } };
  });
}

interface UndoRequest extends PortionRequest {
  readonly project: StoredProject | undefined;
  readonly actor: string;
  readonly instanceUid: string;
  leaseNow(): Promise<string>;
  readonly smallWorkOnly: boolean;
}

interface Prepared {
  readonly answer: Answer;
  readonly history: History;
  readonly plan: UndoPlan;
}

async function prepared(reader: Reader, request: UndoRequest): Promise<Prepared> {
  const { of_actor, span, project, smallWorkOnly } = request;
  if (smallWorkOnly && (await reader.past.by(of_actor, span, LITTLE + 1)).length > LITTLE)
    throw new NeedsWorker();
  const found = await changesOf(reader, of_actor, span);
  const chosen = found.filter((event) => undoingOf(event) === "rows");
  const history = await historyOf(reader, chosen);
  const ids = new Set(chosen.map(({ id }) => id));
  const plan = planUndo(history.events, ids, history.known, portionsBefore(history, request));
  const conflicts = await conflictsOf(reader, plan, request);
  const names = await namesFor(reader, plan, found, conflicts);
  const purges = await reader.past.purgesBy(of_actor, span);
  const answer = {
    of_actor,
    since: span.since,
    until: span.until,
    project_id: project?.id ?? 0,
    event_count: found.length,
    reverts: plan.reverts.map((revert) => revertOut(revert, names)),
    conflicts: conflicts.map((conflict) => conflictOut(conflict, names)),
    kept: keptOut(found, purges, names),
    undone_before: plan.undone.size,
    confirm: `UNDO ${plan.reverts.length} OF ${of_actor}`,
    changed: false,
  };
  return { answer, history, plan };
}

function refusal(conflicts: Answer["conflicts"]): SvcError {
  const [first] = conflicts;
  const more = conflicts.length === 1 ? "" : ` (and ${conflicts.length - 1} more)`;
  return new SvcError(
    "undo_conflict",
    { conflicts },
    { message: `${first?.message ?? ""}${more}` },
  );
}

/** Loads the issues that the answer names, and the projects they were and are in. */
async function namesFor(
  reader: Reader,
  plan: UndoPlan,
  found: readonly StoredEvent[],
  conflicts: readonly Conflict[],
): Promise<Names> {
  const facets = [...plan.reverts, ...conflicts].map(({ facet }) => facet);
  const current = new Map(
    ofSeries(facets).map(({ uid }) => [
      uid,
      plan.without.recurrence(uid)?.last_materialized_uid ?? "",
    ]),
  );
  const uids = new Set([
    ...current.values(),
    ...found.flatMap((event) => [event.issue_uid ?? "", ...(touches(event).issues ?? [])]),
    ...facets.flatMap((facet) => (facet.of === "link" ? [facet.uid, facet.peer] : [facet.uid])),
    ...plan.reverts.flatMap(({ facet, from, to }) =>
      facet.of === "parent" ? [from, to].filter((uid) => typeof uid === "string") : [],
    ),
  ]);
  const issues = await reader.issues.many([...uids]);
  const places = plan.reverts.flatMap(({ facet }) => {
    return [plan.now.issue(facet.uid)?.project_uid, plan.without.issue(facet.uid)?.project_uid];
  });
  const projects = new Map<string, StoredProject>();
  for (const uid of new Set(places)) {
    const project = uid === undefined ? undefined : await reader.projects.find(uid);
    if (project !== undefined) projects.set(project.uid, project);
  }
  return { issues, projects, current };
}

function ofSeries(facets: readonly Facet[]): readonly Facet[] {
  return facets.filter(({ of }) => of === "series");
}

interface Batch {
  readonly plan: UndoPlan;
  readonly history: History;
  readonly actor: string;
  readonly batch_uid: string;
}

/**
 * Writes the events, in the order in which the actor first touched the issues; created ones are deleted last, after
 * what refers to them.
 */
async function carryOut(tx: Tx, { plan, history, actor, batch_uid }: Batch): Promise<number[]> {
  const series = ofKind(plan.reverts, "series");
  const others = plan.reverts.filter(({ facet }) => facet.of !== "series");
  const groups = Map.groupBy(others.toSorted(newLast), ({ facet }) => facet.uid);
  const peers = await tx.issues.many([
    ...new Set(history.events.flatMap((event) => touches(event).issues ?? [])),
  ]);
  const uids = [...groups.keys()];
  await tx.preload({ issues: [...peers.keys()], rows: { lease: uids } });
  await tx.preloadAttached(uids);
  const leases = await tx.leases.unreleased(uids);
  const leaseNow = leases.size === 0 ? tx.now : await tx.leaseNow();
  const context = {
    plan,
    closes: closesOf(history.events),
    actor,
    now: tx.now,
    leaseNow,
    batch_uid,
    peer: (uid: string) => {
      const issue = peers.get(uid);
      return issue === undefined ? undefined : peerOf(issue);
    },
    shortIdIn: async (projectUid: string, issue: { uid: string; short_id: string }) =>
      await shortIdIn(tx, projectUid, issue),
  };
  const ids: number[] = [];
  for (const [uid, reverts] of groups) {
    const [issue, lease] = [peers.get(uid), leases.get(uid)];
    // End an expired lease first with its holder as the actor, as for any other change of the issue.
    if (issue !== undefined && lease !== undefined && hasExpired(lease, leaseNow))
      await expire(tx, issue, lease);
    for (const draft of await draftsOf(context, uid, reverts)) {
      ids.push((await tx.append(draft)).id);
    }
  }
  for (const revert of series) {
    ids.push((await tx.append(seriesDraft(context, revert))).id);
  }
  return ids;
}

function closesOf(
  events: readonly StoredEvent[],
): ReadonlyMap<string, readonly StoredEvent<"issue.closed">[]> {
  const closes = new Map<string, StoredEvent<"issue.closed">[]>();
  for (const event of events)
    if (event.type === "issue.closed" && event.issue_uid !== undefined)
      addTo(closes, event.issue_uid, event);
  return closes;
}

function newLast(left: Revert, right: Revert): number {
  const isNew = ({ facet }: Revert) => facet.of === "issue" && facet.field === "exists";
  return Number(isNew(left)) - Number(isNew(right));
}
