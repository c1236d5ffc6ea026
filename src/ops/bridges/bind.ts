import type { bindExternalRoot as contract } from "../../contract/bridges.ts";
import { invalid, SvcError } from "../../contract/errors.ts";
import type { Input, Output } from "../../contract/route.ts";
import { isBlank } from "../../domain/bridges/comments-in.ts";
import { accountDigest } from "../../domain/bridges/pauses.ts";
import { faultOfText } from "../../domain/bridges/root-in.ts";
import type { Described, ExternalComment, Root } from "../../domain/bridges/values.ts";
import { externalRootBound } from "../../domain/drafts/bridges.ts";
import { isReadOnly } from "../../domain/federation/gate.ts";
import type { BridgeClaim, BridgeRow, StoredBridge } from "../../store/types/bridges.ts";
import type { Tx } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import type { OpStore, Principal } from "../deps.ts";
import { findBinding } from "../federation/binding.ts";
import { type FoundIssue, type IssueParams, requireIssue } from "../find.ts";
import { requireBound } from "./bound.ts";
import { bridgeOut } from "./bridge-out.ts";
import { type CommentPlace, externalRow, skippedRow } from "./comment-rows.ts";
import type { ConnectorClient } from "./far-side.ts";
import { asRefusal, conflict, unusable, withRefusals } from "./faults.ts";
import { selfActor } from "./publish.ts";
import { reconcile } from "./reconcile.ts";
import { requireClient } from "./require-client.ts";
import { type RunDeps, TO_THE_END } from "./run.ts";

/** What the calls before the transaction found. */
interface Far {
  readonly described: Described;
  readonly root: Root;
  readonly comments: readonly ExternalComment[];
}

/**
 * Binds an issue to a root, and reconciles them once. Nothing is stored before all calls succeeded. If the first
 * reconcile fails, the bridge stays and the caller gets the error (docs/contract/connectors.md#5-bind-to-unbind).
 * `gone` is aborted if the caller stops waiting, which ends only what comes before the bridge is stored.
 */
export async function bindExternalRoot(
  deps: RunDeps & {
    /** The store of the request, whose writes check the caller's token again. */
    readonly asked: Pick<OpStore, "write">;
  },
  who: Principal,
  { params, body }: Input<typeof contract>,
  gone: AbortSignal,
): Promise<Output<typeof contract>> {
  const { store, roots } = deps;
  const actor = actorOf(who, body.actor);
  await store.read(async (reader) => await requireIssue(reader, params));
  const client = requireClient(roots, body.connector, gone);
  const far = await withRefusals(async () => await askAll(client, body));
  const asked = {
    params,
    actor,
    instance: body.connector,
    publishes: body.publish_comments === true,
  };
  const claim = await deps.asked.write(async (tx) => await storeBridge(deps, tx, far, asked));
  try {
    await reconcile(deps, claim, TO_THE_END);
  } catch (error) {
    throw asRefusal(error);
  }
  return await store.read(async (reader) => bridgeOut(reader, await requireBound(reader, params)));
}

async function askAll(
  client: ConnectorClient,
  { external, publish_comments }: Input<typeof contract>["body"],
): Promise<Far> {
  const described = await client.describe();
  if (publish_comments === true) requirePublishing(described);
  const root = await client.resolveRoot(external);
  if (faultOfText(root) !== undefined) throw unusable(`root_${faultOfText(root)}`);
  if (root.identity_key !== described.account_identity)
    throw conflict("the root belongs to another account than the one of the connector");
  if (root.state === "deleted") throw conflict("the root is deleted");
  const comments = await client.listComments(root.key);
  if (comments.some(isBlank)) throw unusable("comment_blank");
  return { described, root, comments };
}

/** Throws `external_root_conflict` unless the connector can publish comments. */
export function requirePublishing(described: Described): void {
  try {
    selfActor(described);
  } catch {
    throw conflict("the connector cannot publish comments");
  }
}

interface Asked {
  readonly params: IssueParams;
  readonly actor: string;
  readonly instance: string;
  readonly publishes: boolean;
}

async function storeBridge(
  { ids }: RunDeps,
  tx: Tx,
  { described, root, comments }: Far,
  { params, actor, instance, publishes }: Asked,
): Promise<BridgeClaim> {
  const found = await requireIssue(tx, params);
  const digest = accountDigest(instance, described.account_identity);
  await requireFree(tx, found, { instance, key: root.key, digest });
  const claim = { binding_uid: ids.ulid(), claim_token: ids.ulid() };
  const earlier = (await tx.bridges.ofIssue(found.issue.uid)).find(
    (one) => one.connector_instance === instance && one.external_root_key === root.key,
  );
  const bridge: BridgeRow = {
    ...newBridge(tx, found, claim),
    ...{
      connector_instance: instance,
      external_root_key: root.key,
      external_account_digest: digest,
    },
    publish_comments: publishes ? 1 : 0,
  };
  await tx.unfolded.put("external_root_binding", bridge);
  await noteComments(tx, bridge, comments, earlier);
  await tx.append(externalRootBound(found.issue, bridge, { actor, now: tx.now }));
  return claim;
}

/** Refuses a bind of an issue or a root that is not free, in the order of docs/contract/connectors.md. */
async function requireFree(
  tx: Tx,
  { issue, project }: FoundIssue,
  {
    instance,
    key,
    digest,
  }: { readonly instance: string; readonly key: string; readonly digest: string },
): Promise<void> {
  const binding = await findBinding(tx, project);
  if (binding?.role === "spoke" && isReadOnly(binding))
    throw new SvcError("federated_read_only", { project_uid: project.uid });
  if ((await tx.bridges.active(issue.uid)) !== undefined)
    throw conflict("the issue has a bridge already", "svc bridge show");
  if ((await tx.bridges.root(issue.uid)) !== undefined)
    throw conflict("another daemon has a bridge for the issue");
  if ((await tx.bridges.otherIssueOf(instance, key, issue.uid)) !== undefined)
    throw conflict("the root is or was bound to another issue");
  if ((await tx.marks.syncedIssues([issue.uid])).size > 0)
    throw conflict("issue sync owns the issue");
  if (await tx.bridges.hasOtherAccount(instance, digest))
    throw invalid(
      "the connector has another account than the bridges that it has or had",
      "give the other account a [[connector]] of its own",
    );
}

type Fixed =
  | "connector_instance"
  | "external_root_key"
  | "external_account_digest"
  | "publish_comments";

function newBridge({ now }: Tx, { issue }: FoundIssue, claim: BridgeClaim): Omit<BridgeRow, Fixed> {
  return {
    ...{ uid: claim.binding_uid, issue_uid: issue.uid, active: 1, enabled: 1 },
    ...{ receive_comments: 1, complete_external: 1 },
    ...{ claim_token: claim.claim_token, claim_started_at: now, last_attempt_at: now },
    ...{ last_external_revision: null, last_external_digest: null, last_external_state: null },
    ...{ last_external_updated_at: null, last_success_at: null },
    ...{ last_error: null, last_error_at: null, consecutive_failures: 0, next_attempt_at: null },
    ...{ paused_reason: null, pending_comment_uid: null, pending_comment_started_at: null },
    ...{ requested_state: null, requested_revision: null },
    ...{ created_at: now, updated_at: now, unbound_at: null },
  };
}

/**
 * Notes the comments that are there already: those of the root are not imported, and those of the issue are not
 * published. What an earlier bridge of the two knew stays known, so that no comment exists twice.
 */
async function noteComments(
  tx: Tx,
  bridge: BridgeRow,
  comments: readonly ExternalComment[],
  earlier: StoredBridge | undefined,
): Promise<void> {
  if (earlier !== undefined) await moveComments(tx, bridge, earlier);
  const known = await tx.bridges.externalComments(
    bridge.uid,
    comments.map(({ id }) => id),
  );
  const seen = comments.filter(({ id }) => (known.get(id)?.state ?? "seen") === "seen");
  const here = await tx.bridges.commentsAfter(bridge, 0, ALL);
  const place: CommentPlace = { bridge, now: tx.now };
  await tx.unfolded.putAll("external_comment", [
    ...seen.map((comment) => externalRow(place, comment)),
    ...here.filter(({ known: of }) => of === 0).map(({ uid }) => skippedRow(place, uid)),
  ]);
}

/** More comments than an issue can have. */
const ALL = 1_000_000_000;

/** Also moves what is known of comments that the provider does not list now: it may list them again. */
async function moveComments(tx: Tx, bridge: BridgeRow, earlier: StoredBridge): Promise<void> {
  const rows = await tx.bridges.comments(earlier.uid);
  await tx.unfolded.putAll(
    "external_comment",
    rows.map((row) => ({ ...row, binding_uid: bridge.uid })),
  );
  for (const { binding_uid, side, comment_id } of rows)
    await tx.unfolded.remove("external_comment", { binding_uid, side, comment_id });
}
