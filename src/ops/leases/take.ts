import { invariant } from "../../base/invariant.ts";
import type {
  takeReadyIssue as contract,
  takeReadyIssueGlobal as globalContract,
} from "../../contract/leases.ts";
import type { Output } from "../../contract/route.ts";
import type { Mark } from "../../domain/drafts/draft.ts";
import { issueAssigned } from "../../domain/drafts/issues.ts";
import { leaseAcquired } from "../../domain/drafts/leases.ts";
import type { TakeFilter } from "../../store/types/issues.ts";
import type { StoredIssue, StoredProject } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import type { Deps, Op } from "../deps.ts";
import { copiesOut } from "../federation/binding.ts";
import { reload, requireProject } from "../find.ts";
import { idempotencyKey } from "../guards.ts";
import { eventOut } from "../out/events.ts";
import { issueOut } from "../out/issues.ts";
import { leaseOut } from "../out/leases.ts";
import { warningsOf } from "../out/warnings.ts";
import { currentLease, requireLease } from "./lease-request.ts";
import { replayTake, type TakeInput, takeMark } from "./replay-take.ts";

type TakeAnswer = Output<typeof contract>;

/**
 * Finds the best ready issue and takes it in one transaction, so that concurrent callers get different issues. A repeat
 * with the same key gets the same claim while it is active. The key is kept in the event of the claim. If nothing is
 * ready there is no event, so a repeat searches again.
 */
export const takeReadyIssue: Op<typeof contract, "store" | "ids"> = async (
  deps,
  who,
  { params, headers, body },
) => {
  const actor = actorOf(who, body.actor);
  const key = idempotencyKey(headers["idempotency-key"]);
  return await deps.store.write(async (tx) => {
    const project = await requireProject(tx, params.project_id);
    return await takeOnce(deps, tx, { actor, body, project_uid: project.uid, key });
  });
};

export const takeReadyIssueGlobal: Op<typeof globalContract, "store" | "ids"> = async (
  deps,
  who,
  { headers, body },
) => {
  const actor = actorOf(who, body.actor);
  const key = idempotencyKey(headers["idempotency-key"]);
  return await deps.store.write(async (tx) => await takeOnce(deps, tx, { actor, body, key }));
};

async function takeOnce(
  deps: Pick<Deps, "store" | "ids">,
  tx: Tx,
  { key, ...request }: TakeInput & { readonly key: string | undefined },
): Promise<TakeAnswer> {
  if (key === undefined) return await take(deps, tx, request);
  const mark = takeMark(key, request);
  return (
    (await replayTake(tx, mark, request.actor)) ?? (await take(deps, tx, { ...request, mark }))
  );
}

interface TakeRequest extends TakeInput {
  readonly mark?: Mark;
}

async function take(
  deps: Pick<Deps, "store" | "ids">,
  tx: Tx,
  request: TakeRequest,
): Promise<TakeAnswer> {
  const not_projects = await untakeable(tx, request);
  const filter = { ...filterOf(request), not_projects };
  const issue = await tx.issues.takeable(filter, await tx.leaseNow());
  if (issue === undefined) return { issue: null, event: null, events: [], changed: false };
  const project = await requireProject(tx, issue.project_id);
  return request.body.lease === undefined
    ? await claimOwner(tx, { project, issue, ...request })
    : await claimLease(deps, tx, { project, issue, ...request });
}

/**
 * The projects of which a request for work in all projects gets nothing: copies of other daemons' projects that only
 * read and, for a lease, all copies. A request that names the project is refused instead.
 */
async function untakeable(tx: Tx, { project_uid, body }: TakeRequest): Promise<readonly string[]> {
  if (project_uid !== undefined) return [];
  const copies = await copiesOut(tx);
  return [...copies].flatMap(([uid, { read_only }]) =>
    read_only || body.lease !== undefined ? uid : [],
  );
}

/**
 * Returns the filter for the issues that a request may get. A claim gets only issues without an owner. A lease gets
 * these and the issues that the actor owns.
 */
function filterOf({ actor, body, project_uid }: TakeRequest): TakeFilter {
  const { labels = [], exclude_labels = [], parent_uid, containers = false } = body;
  return {
    labels,
    exclude_labels,
    containers,
    ...(project_uid === undefined ? {} : { project_uid }),
    ...(parent_uid === undefined ? {} : { parent_uid }),
    ...(body.lease === undefined ? {} : { owner: actor }),
  };
}

interface ChosenIssue extends TakeRequest {
  readonly project: StoredProject;
  readonly issue: StoredIssue;
}

async function claimOwner(
  tx: Tx,
  { project, issue, actor, mark }: ChosenIssue,
): Promise<TakeAnswer> {
  invariant(issue.owner === null, "only what nobody owns is offered to a claim");
  // End an expired lease first. If it is the caller's own, the check of leases (`gate.ts`) would refuse the claim.
  await currentLease(tx, issue);
  const event = await tx.append(issueAssigned(issue, actor, { actor, now: tx.now }, mark));
  const after = await reload(tx, issue);
  const shown = eventOut(event, project, { issue: after });
  const out = await issueOut(tx, after);
  return {
    issue: out,
    event: shown,
    events: [shown],
    changed: true,
    ...warningsOf(out, [event]),
  };
}

async function claimLease(
  { store, ids }: Pick<Deps, "store" | "ids">,
  tx: Tx,
  { project, issue, actor, body, mark }: ChosenIssue,
): Promise<TakeAnswer> {
  const { ttl_seconds, client_kind, purpose = "" } = body.lease ?? {};
  const known = await currentLease(tx, issue);
  const wish = {
    who: { holder: actor, holder_instance_uid: store.instanceUid, client_kind },
    terms: { claim_kind: "timed", ttl_seconds, purpose },
    claim_uid: ids.ulid(),
    known,
    mark,
  } as const;
  const draft = leaseAcquired(issue, wish, { actor, now: await tx.leaseNow() });
  const event = await tx.append(draft);
  const shown = eventOut(event, project, { issue });
  return {
    issue: await issueOut(tx, issue),
    event: shown,
    events: [shown],
    changed: true,
    lease: leaseOut(await requireLease(tx, issue), issue),
  };
}
