import { invariant } from "../../base/invariant.ts";
import { SvcError } from "../../contract/errors.ts";
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
import { requireAccepted, unacceptedClaim } from "./claim-on-hub.ts";
import { copyIn, leasesNotPermitted } from "./copy.ts";
import { currentLease, requireLease } from "./lease-request.ts";
import { replayTake, type TakeInput, takeMark } from "./replay-take.ts";
import { reserve } from "./reserve.ts";
import { denied, MOST_DENIALS, type ReservedTake, takeOnHub, wantedLease } from "./take-on-hub.ts";

type TakeAnswer = Output<typeof contract>;

/**
 * Finds the best ready issue and takes it in one transaction, so that concurrent callers get different issues. A repeat
 * with the same key gets the same claim while it is active. The key is kept in the event of the claim. If nothing is
 * ready there is no event, so a repeat searches again.
 */
export const takeReadyIssue: Op<typeof contract, TakeDeps> = async (
  deps,
  who,
  { params, headers, body },
) => {
  const actor = actorOf(who, body.actor);
  const key = idempotencyKey(headers["idempotency-key"]);
  return await takeNext(deps, async (tx) => {
    const { uid } = await requireProject(tx, params.project_id);
    return { actor, body, project_uid: uid, key };
  });
};

export const takeReadyIssueGlobal: Op<typeof globalContract, TakeDeps> = async (
  deps,
  who,
  { headers, body },
) => {
  const actor = actorOf(who, body.actor);
  const key = idempotencyKey(headers["idempotency-key"]);
  return await takeNext(deps, async () => await Promise.resolve({ actor, body, key }));
};

type TakeDeps = "store" | "ids" | "hubLeases";

interface TakeRequest extends TakeInput {
  readonly key: string | undefined;
}

/** What a take has learned of copies and their hubs so far. */
interface HubFindings {
  /** Whether the enrollment permits leases, by the uid of the project. */
  readonly permits: Map<string, boolean>;
  /** Projects from which nothing can be taken. */
  readonly not_projects: Set<string>;
  /** Issues that a hub has denied. */
  readonly not_issues: string[];
  /** Issues that a hub did not know, and that were sent since. */
  readonly sent: Set<string>;
}

type Step =
  | { readonly taken: TakeAnswer; readonly unaccepted?: { project_uid: string; id: number } }
  | { readonly asks: ReservedTake; readonly body: TakeInput["body"]; readonly named: boolean }
  /** The issue is in the copy with this uid, and it is not known yet whether the enrollment permits leases. */
  | { readonly copy: string };

/**
 * Takes the best ready issue. An issue of a copy is reserved, and taken if its hub agrees; otherwise the next issue is
 * tried. If a hub fails, a take from all projects (`--all`) tries other projects.
 */
async function takeNext(
  deps: Pick<Deps, TakeDeps>,
  requestIn: (tx: Tx) => Promise<TakeRequest>,
): Promise<TakeAnswer> {
  const known: HubFindings = {
    permits: new Map(),
    not_projects: new Set(),
    not_issues: [],
    sent: new Set(),
  };
  let fault: SvcError | undefined;
  for (;;) {
    const step = await deps.store.write(
      async (tx) => await takeOnce(deps, tx, await requestIn(tx), known),
    );
    const { hubLeases } = deps;
    if ("taken" in step) {
      const { taken, unaccepted } = step;
      if (unaccepted !== undefined && hubLeases !== undefined)
        await requireAccepted({ hubLeases }, unaccepted.project_uid, unaccepted.id);
      if (taken.issue === null && fault !== undefined) throw fault;
      return taken;
    }
    if ("copy" in step) {
      known.permits.set(step.copy, (await hubLeases?.permits(step.copy)) ?? false);
      continue;
    }
    invariant(hubLeases !== undefined, "a daemon that reserves has hubs to ask");
    const { asks, body, named } = step;
    try {
      const taken = await takeOnHub({ ...deps, hubLeases }, asks, body);
      if (taken === "unknown" && !known.sent.has(asks.reserved.issue.uid)) {
        // The hub does not know the issue yet. Send the issue, and then ask for it once more.
        known.sent.add(asks.reserved.issue.uid);
        await hubLeases.sent(asks.reserved.replica.project_uid, asks.reserved.event_id);
        continue;
      }
      if (typeof taken === "object") return taken;
      known.not_issues.push(asks.reserved.issue.uid);
    } catch (error) {
      const isElsewhere = error instanceof SvcError && FAULTS_OF_ONE_HUB.has(error.code);
      if (named || !isElsewhere) throw error;
      fault = error;
      known.not_projects.add(asks.reserved.project.uid);
    }
    if (known.not_issues.length === MOST_DENIALS) throw denied();
  }
}

/** The codes of faults of one hub: the take can still try issues of other projects. */
const FAULTS_OF_ONE_HUB: ReadonlySet<string> = new Set(["federation_offline", "hub_claim_failed"]);

async function takeOnce(
  deps: Pick<Deps, "store" | "ids">,
  tx: Tx,
  { key, ...request }: TakeRequest,
  known: HubFindings,
): Promise<Step> {
  if (key === undefined) return await take(deps, tx, request, known);
  const mark = takeMark(key, request);
  const replayed = await replayTake(tx, mark, request.actor);
  if (replayed === undefined) return await take(deps, tx, { ...request, mark }, known);
  const { issue } = replayed;
  const { project_uid } = issue === null ? {} : ((await tx.issues.find(issue.uid)) ?? {});
  if (issue === null || project_uid === undefined) return { taken: replayed };
  const place = { uid: issue.uid, project_uid };
  const claim = tx.hasCopies ? await unacceptedClaim(tx, place, deps.store.instanceUid) : undefined;
  return claim === undefined
    ? { taken: replayed }
    : { taken: replayed, unaccepted: { project_uid, id: claim.id } };
}

interface MarkedRequest extends TakeInput {
  readonly mark?: Mark;
}

const NOTHING: TakeAnswer = { issue: null, event: null, events: [], changed: false };

async function take(
  deps: Pick<Deps, "store" | "ids">,
  tx: Tx,
  request: MarkedRequest,
  known: HubFindings,
): Promise<Step> {
  const not_projects = [...known.not_projects, ...(await untakeable(tx, request))];
  const filter = { ...filterOf(request), not_projects, not_issues: known.not_issues };
  const issue = await tx.issues.takeable(filter, await tx.leaseNow());
  if (issue === undefined) return { taken: NOTHING };
  const project = await requireProject(tx, issue.project_id);
  const replica = await copyIn(tx, project);
  if (replica !== undefined) {
    const permits = known.permits.get(project.uid);
    if (permits === undefined) return { copy: project.uid };
    if (permits) {
      const wanted = wantedLease(request, deps.store.instanceUid, request.mark);
      const reserved = await reserve(deps, tx, { replica, project, issue }, wanted);
      const named = request.project_uid !== undefined;
      return { asks: { reserved, wanted }, body: request.body, named };
    }
    if (request.project_uid !== undefined) throw leasesNotPermitted(replica);
    known.not_projects.add(project.uid);
    return await take(deps, tx, request, known);
  }
  const chosen = { project, issue, ...request };
  return {
    taken:
      request.body.lease === undefined
        ? await claimOwner(tx, chosen)
        : await claimLease(deps, tx, chosen),
  };
}

/**
 * The projects that a request for work in all projects leaves out: read-only copies of other daemons' projects. A
 * request that names such a project is refused instead.
 */
async function untakeable(tx: Tx, { project_uid }: TakeInput): Promise<readonly string[]> {
  if (project_uid !== undefined || !tx.hasCopies) return [];
  const copies = await copiesOut(tx);
  return [...copies].flatMap(([uid, { read_only }]) => (read_only ? uid : []));
}

/**
 * Returns the filter for the issues that a request may get. A claim gets only issues without an owner. A lease gets
 * these and the issues that the actor owns.
 */
function filterOf({ actor, body, project_uid }: TakeInput): TakeFilter {
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

interface ChosenIssue extends MarkedRequest {
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
