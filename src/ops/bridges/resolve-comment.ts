import type { resolveExternalComment as contract } from "../../contract/bridges.ts";
import { invalidField, SvcError } from "../../contract/errors.ts";
import type { Input, Output } from "../../contract/route.ts";
import { pauseOfAccount } from "../../domain/bridges/pauses.ts";
import type { ExternalComment } from "../../domain/bridges/values.ts";
import { externalCommentResolved } from "../../domain/drafts/bridges.ts";
import type { BridgeRow } from "../../store/types/bridges.ts";
import type { Tx } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import type { Principal } from "../deps.ts";
import { requirePublishing } from "./bind.ts";
import { type Bound, requireBoundAnywhere, requireNoRun, UNCLAIMED } from "./bound.ts";
import { bridgeOut } from "./bridge-out.ts";
import { skippedRow } from "./comment-rows.ts";
import type { ConnectorClient } from "./far-side.ts";
import { conflict, withRefusals } from "./faults.ts";
import { endPending, NOT_PENDING } from "./publish.ts";
import { requireClient, requireConnectors } from "./require-client.ts";
import { putBridge, type RunDeps } from "./run.ts";

type Body = Input<typeof contract>["body"];

/**
 * Decides about the comment of which the provider's answer was lost: it is the named comment of the provider (`adopt`),
 * it is sent again with the same operation id (`retry`), or it is never sent (`skip`). Works while the bridge is paused,
 * and in archived projects.
 */
export async function resolveExternalComment(
  { store, roots }: Pick<RunDeps, "store" | "roots">,
  who: Principal,
  { params, body }: Input<typeof contract>,
  gone: AbortSignal,
): Promise<Output<typeof contract>> {
  const actor = actorOf(who, body.actor);
  requireConnectors(roots);
  const before = await store.read(async (reader) =>
    requirePending(await requireBoundAnywhere(reader, params)),
  );
  const { connector_instance } = before.bridge;
  const adopted =
    body.external_comment_id === undefined
      ? undefined
      : await adoptable(
          requireClient(roots, connector_instance, gone),
          before.bridge,
          body.external_comment_id,
        );
  return await store.write(async (tx) => {
    const bound = requirePending(await requireBoundAnywhere(tx, params));
    requireNoRun(tx, bound.bridge);
    if (bound.pending !== before.pending)
      throw new SvcError(
        "external_comment_pending",
        { pending_comment_uid: bound.pending },
        { message: "another comment waits for a decision by now" },
      );
    await carryOut(tx, bound, { action: body.action, adopted, actor });
    return await bridgeOut(tx, await requireBoundAnywhere(tx, params));
  });
}

interface Pending extends Bound {
  readonly pending: string;
}

function requirePending(bound: Bound): Pending {
  const { pending_comment_uid: pending } = bound.bridge;
  if (pending !== null) return { ...bound, pending };
  throw new SvcError(
    "external_comment_pending",
    {},
    {
      message: "no comment of the bridge waits for a decision",
      hint: "there is nothing to decide",
    },
  );
}

/** Returns the provider's comment if svc can have written it. */
async function adoptable(
  client: ConnectorClient,
  bridge: BridgeRow,
  id: string,
): Promise<ExternalComment> {
  return await withRefusals(async () => {
    const described = await client.describe();
    if (pauseOfAccount(bridge, described) !== undefined)
      throw conflict("the connector has another account than at the bind");
    requirePublishing(described);
    const comments = await client.listComments(bridge.external_root_key);
    const found = comments.find((comment) => comment.id === id);
    if (found === undefined || found.deleted)
      throw invalidField("external_comment_id", "the root has no such comment");
    if (found.author.id !== described.self_actor_id)
      throw invalidField("external_comment_id", "the comment is by somebody else");
    return found;
  });
}

interface Decision {
  readonly action: Body["action"];
  readonly adopted: ExternalComment | undefined;
  readonly actor: string;
}

async function carryOut(
  tx: Tx,
  { bridge, issue, pending }: Pending,
  { action, adopted, actor }: Decision,
): Promise<void> {
  const act = { actor, now: tx.now };
  const due = { ...UNCLAIMED, next_attempt_at: null };
  if (action === "adopt" && adopted !== undefined) {
    const [known] = (await tx.bridges.externalComments(bridge.uid, [adopted.id])).values();
    if (known !== undefined && known.state !== "seen")
      throw invalidField("external_comment_id", "the comment belongs to another one here");
    await endPending(tx, { bridge: { ...bridge, ...due }, issue, act }, "adopt", adopted);
    return;
  }
  if (action === "skip")
    await tx.unfolded.put("external_comment", skippedRow({ bridge, now: tx.now }, pending));
  const next = action === "skip" ? NOT_PENDING : { pending_comment_started_at: tx.now };
  await putBridge(tx, bridge, { ...due, ...next });
  const kind = action === "skip" ? "skip" : "retry";
  await tx.append(externalCommentResolved(issue, bridge, kind, act));
}
