import { NeedsWorker } from "../../base/budget.ts";
import { SvcError } from "../../contract/errors.ts";
import type { Input, Output } from "../../contract/route.ts";
import type {
  undoGlobal as globalContract,
  undoProject as projectContract,
} from "../../contract/undo.ts";
import type { UndoHistory } from "../../domain/undo/facets.ts";
import { undoingOf } from "../../domain/undo/kinds.ts";
import { planUndo, type UndoPlan } from "../../domain/undo/plan.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import { spanOf } from "../activity/span.ts";
import { actorOf } from "../actor.ts";
import { requireConfirm } from "../confirm.ts";
import type { Deps, Op, Principal } from "../deps.ts";
import { requireProject } from "../find.ts";
import { warningsOut } from "../out/warnings.ts";
import { carryOut } from "./carry-out.ts";
import { conflictsOf } from "./checks.ts";
import { historyOf } from "./load.ts";
import { namesFor } from "./names.ts";
import { conflictOut, keptOut, revertOut } from "./out.ts";
import { changesOf, type PortionRequest, portionsBefore, undoneUntilOf } from "./portions.ts";

/** If more changes than this must be undone, a worker handles the request. */
const SMALL_WORK = 10;

type UndoInput = Pick<Input<typeof globalContract>, "headers" | "body">;
type Answer = Output<typeof globalContract>;
type UsedDeps = "store" | "clock" | "ids" | "smallWorkOnly";

export const undoGlobal: Op<typeof globalContract, UsedDeps> = async (deps, who, input) =>
  await runUndo(deps, who, input, async () => undefined);

export const undoProject: Op<typeof projectContract, UsedDeps> = async (
  deps,
  who,
  { params, ...input },
) =>
  await runUndo(
    deps,
    who,
    input,
    async (reader) => await requireProject(reader, params.project_id),
  );

/**
 * Undoes either all changes of one actor in a span of time or none of them. The undo is one batch of events by the
 * requesting actor (docs/past.md). Repeating the request changes nothing.
 */
async function runUndo(
  deps: Pick<Deps, UsedDeps>,
  who: Principal,
  { headers, body }: UndoInput,
  projectOf: (reader: Reader) => Promise<StoredProject | undefined>,
): Promise<Answer> {
  const actor = actorOf(who, body.actor);
  const of_actor = body.of_actor;
  const span = spanOf(body, deps.clock, { allowsInstant: true });
  const undoneUntil = undoneUntilOf(body.undone_until, span);
  const { instanceUid } = deps.store;
  const smallWorkOnly = deps.smallWorkOnly === true;
  const prepare = async (
    reader: Reader,
    leaseNow: UndoRequest["leaseNow"],
  ): Promise<PreparedUndo> => {
    const project = await projectOf(reader);
    const scoped = { ...span, ...(project === undefined ? {} : { project_uid: project.uid }) };
    return await prepareUndo(reader, {
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
    if (answer.conflicts.length > 0) throw conflictError(answer.conflicts);
    if (plan.reverts.length === 0) return answer;
    requireConfirm(headers["x-svc-confirm"], answer.confirm);
    const batch_uid = deps.ids.ulid();
    const { ids, warnings } = await carryOut(tx, { plan, history, actor, batch_uid });
    const batch = { batch_uid, actor, at: tx.now, event_ids: [...ids] };
    return { ...answer, changed: true, batch, ...warningsOut(warnings) };
  });
}

interface UndoRequest extends PortionRequest {
  readonly project: StoredProject | undefined;
  readonly actor: string;
  readonly instanceUid: string;
  leaseNow(): Promise<string>;
  readonly smallWorkOnly: boolean;
}

interface PreparedUndo {
  readonly answer: Answer;
  readonly history: UndoHistory;
  readonly plan: UndoPlan;
}

async function prepareUndo(reader: Reader, request: UndoRequest): Promise<PreparedUndo> {
  const { of_actor, span, project, smallWorkOnly } = request;
  if (smallWorkOnly && (await reader.past.by(of_actor, span, SMALL_WORK + 1)).length > SMALL_WORK)
    throw new NeedsWorker();
  const changes = await changesOf(reader, of_actor, span);
  const chosen = changes.filter((event) => undoingOf(event) === "rows");
  const history = await historyOf(reader, chosen);
  const ids = new Set(chosen.map(({ id }) => id));
  const plan = planUndo(history, ids, portionsBefore(history, request));
  const conflicts = await conflictsOf(reader, plan, request);
  const names = await namesFor(reader, plan, changes, conflicts);
  const purges = await reader.past.purgesBy(of_actor, span);
  const answer = {
    of_actor,
    since: span.since,
    until: span.until,
    project_id: project?.id ?? 0,
    event_count: changes.length,
    reverts: plan.reverts.map((revert) => revertOut(revert, names)),
    conflicts: conflicts.map((conflict) => conflictOut(conflict, names)),
    kept: keptOut(changes, purges, names),
    undone_before: plan.undone.size,
    confirm: `UNDO ${plan.reverts.length} OF ${of_actor}`,
    changed: false,
  };
  return { answer, history, plan };
}

function conflictError(conflicts: Answer["conflicts"]): SvcError {
  const [first] = conflicts;
  const more = conflicts.length === 1 ? "" : ` (and ${conflicts.length - 1} more)`;
  return new SvcError(
    "undo_conflict",
    { conflicts },
    { message: `${first?.message ?? ""}${more}` },
  );
}
