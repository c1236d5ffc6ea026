import type {
  takeReadyIssue as contract,
  takeReadyIssueGlobal as globalContract,
} from "../../contract/leases.ts";
import type { Input, Output } from "../../contract/route.ts";
import { decideClaim } from "../../domain/issues.ts";
import { acquired } from "../../domain/leases.ts";
import type { StoredIssue, StoredProject, TakeFilter, Tx } from "../../store/types.ts";
import { actorOf } from "../actor.ts";
import type { Deps, Principal } from "../deps.ts";
import { reload, requireProject } from "../find.ts";
import { eventOut } from "../out/events.ts";
import { issueOut } from "../out/issues.ts";
import { currentLease, requireLease } from "./ask.ts";
import { leaseOut } from "./out.ts";

type Body = Input<typeof contract>["body"];
type Taken = Output<typeof contract>;

/** Finds the best ready issue and takes it, both in one transaction: of many that ask at once each gets another. */
export async function takeReadyIssue(
  deps: Pick<Deps, "store" | "ids">,
  who: Principal,
  { params, body }: Input<typeof contract>,
): Promise<Taken> {
  const actor = actorOf(who, body.actor);
  return await deps.store.write(async (tx) => {
    const project = await requireProject(tx, params.project_id);
    return await take(deps, tx, { actor, body, project_uid: project.uid });
  });
}

export async function takeReadyIssueGlobal(
  deps: Pick<Deps, "store" | "ids">,
  who: Principal,
  { body }: Input<typeof globalContract>,
): Promise<Output<typeof globalContract>> {
  const actor = actorOf(who, body.actor);
  return await deps.store.write(async (tx) => await take(deps, tx, { actor, body }));
}

interface Asked {
  readonly actor: string;
  readonly body: Body;
  readonly project_uid?: string;
}

async function take(deps: Pick<Deps, "store" | "ids">, tx: Tx, asked: Asked): Promise<Taken> {
  const issue = await tx.issues.takeable(filterOf(asked), await tx.leaseNow());
  if (issue === undefined) return { issue: null, event: null, events: [], changed: false };
  const project = await requireProject(tx, issue.project_id);
  return asked.body.lease === undefined
    ? await claim(tx, project, issue, asked.actor)
    : await lease(deps, tx, { project, issue, ...asked });
}

/** A lease is no ownership: what somebody owns is left to its owner, who may lease it. */
function filterOf({ actor, body, project_uid }: Asked): TakeFilter {
  const { labels = [], exclude_labels = [], containers = false } = body;
  return {
    labels,
    exclude_labels,
    containers,
    ...(project_uid === undefined ? {} : { project_uid }),
    ...(body.lease === undefined ? {} : { owner: actor }),
  };
}

async function claim(
  tx: Tx,
  project: StoredProject,
  issue: StoredIssue,
  actor: string,
): Promise<Taken> {
  const decided = decideClaim(issue, { force: false, ifUnowned: true }, { actor, now: tx.now });
  if (decided === "unchanged") throw new Error("an issue without an owner can be claimed");
  // A lease of the caller that ran out, and was not cleared away yet, would stop it.
  await currentLease(tx, issue);
  const event = await tx.append(decided);
  const after = await reload(tx, issue);
  const shown = eventOut(event, project, { issue: after });
  return { issue: await issueOut(tx, after), event: shown, events: [shown], changed: true };
}

async function lease(
  { store, ids }: Pick<Deps, "store" | "ids">,
  tx: Tx,
  asked: Asked & { readonly project: StoredProject; readonly issue: StoredIssue },
): Promise<Taken> {
  const { project, issue, actor, body } = asked;
  const { ttl_seconds, client_kind, purpose = "" } = body.lease ?? {};
  const known = await currentLease(tx, issue);
  const wish = {
    who: { holder: actor, holder_instance_uid: store.instanceUid, client_kind },
    terms: { claim_kind: "timed", ttl_seconds, purpose },
    claim_uid: ids.ulid(),
  } as const;
  const event = await tx.append(acquired(issue, known, wish, { actor, now: await tx.leaseNow() }));
  const shown = eventOut(event, project, { issue });
  return {
    issue: await issueOut(tx, issue),
    event: shown,
    events: [shown],
    changed: true,
    lease: leaseOut(await requireLease(tx, issue), issue),
  };
}
