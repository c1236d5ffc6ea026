import { invalidField, SvcError } from "../../contract/errors.ts";
import type { createFederationReplica as contract } from "../../contract/federation-replicas.ts";
import type { Input, Output } from "../../contract/route.ts";
import { canonicalCapabilities } from "../../domain/federation/capabilities.ts";
import { beginJoin, nextJoin } from "../../domain/federation/joining.ts";
import { actorOf } from "../actor.ts";
import type { Deps, Principal } from "../deps.ts";
import { projectOut } from "../out/projects.ts";
import { type AdoptionAnswer, boundState } from "./adopt-existing.ts";
import { type Bound, bindReplica, type JoinRequest, withoutPush } from "./bind-replica.ts";
import { bindingOut } from "./binding-out.ts";
import { type Federation, withCredentials } from "./far-side.ts";
import { handOver, undoStored } from "./hand-over.ts";
import type { HubCredential } from "./hub-credential.ts";
import { type Credentials, otherReservation } from "./stored-token.ts";
import { isUnknownOutcome } from "./unknown-outcome.ts";

type Body = Input<typeof contract>["body"];

type Needs = Pick<Deps, "store"> & { readonly federation: Federation };

/**
 * Makes the copy of a hub's project, or finds it (docs/contract/federation.md#4-join-adopt-rejoin). The project and its
 * binding are written before the credential: repeating a request that was interrupted stores what is missing. Only a
 * handover stores it earlier (`handOver`).
 */
export async function createFederationReplica(
  needs: Needs,
  who: Principal,
  { body }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  return await needs.federation.inTurn(async () => await joinReplica(needs, who, body));
}

/** Like `createFederationReplica`, for a caller that already runs in a turn (`Federation.inTurn`). */
export async function joinReplica(
  { store, federation }: Needs,
  who: Principal,
  body: Body,
): Promise<Output<typeof contract>> {
  const known = await withCredentials(federation, async (all) => await all.all());
  const own = known.get(body.hub_project_uid.toUpperCase());
  const stored = own?.spoke_instance_uid === store.instanceUid ? own : undefined;
  const asked = checkedRequest(federation, who, body, stored);
  if (asked.token === undefined && stored === undefined)
    throw invalidField("token", "is required: none is stored for the project");
  const isNew = asked.token !== undefined && asked.token !== stored?.token;
  const ownTokens = [...known].filter(([, of]) => of.spoke_instance_uid === store.instanceUid);
  const credentials = {
    ...{ stored, isNew, isOfOther: own !== undefined && stored === undefined },
    reservedFor: otherReservation(ownTokens, asked),
  };
  const token = asked.token ?? stored?.token ?? "";
  const { hub_url, hub_project_id, capabilities, actor, allow_insecure } = asked;
  const credential = {
    ...{ hub_url, hub_project_id, token, capabilities, actor, allow_insecure },
    spoke_instance_uid: store.instanceUid,
    ...(stored?.managed === undefined ? {} : { managed: withoutLeave(stored.managed) }),
  };
  const made = await bindOrUndo({ store, federation }, asked, { credentials, credential }, body);
  await withCredentials(
    federation,
    async (all) => await all.store(asked.hub_project_uid, credential),
  );
  federation.wake(asked.hub_project_uid);
  return {
    project: projectOut(made.project),
    binding: bindingOut(made.project, made.binding),
    ...("snapshots" in made ? { adopted: true, adoption_snapshot_count: made.snapshots } : {}),
  };
}

/** Like `bindAsAsked`. If that fails, the file of credentials is as before, unless an adoption has begun. */
async function bindOrUndo(...of: Parameters<typeof bindAsAsked>): Promise<Bound | AdoptionAnswer> {
  try {
    return await bindAsAsked(...of);
  } catch (error) {
    const [needs, { hub_project_uid }, { credentials, credential }] = of;
    const { isNew, stored: before } = credentials;
    if (isNew) await undoStored(needs, hub_project_uid, { credential, before });
    throw error;
  }
}

/**
 * Makes the copy, or finds it. If the outcome of a write is unknown, reads whether the copy was made, and repeats the
 * write if it was not.
 */
async function bindAsAsked(
  { store, federation }: Needs,
  asked: JoinRequest,
  { credentials, credential }: { credentials: Credentials; credential: HubCredential },
  { adopt_existing }: Body,
): Promise<Bound | AdoptionAnswer> {
  let state = beginJoin(adopt_existing === true);
  let made: Bound | AdoptionAnswer | undefined;
  while (state.at === "look" || state.at === "adopt" || state.at === "bind") {
    if (state.at === "look") {
      const isBound = await store.read(
        async (reader) => await boundState(reader, asked.hub_project_uid),
      );
      state = nextJoin(state, { type: "seen", isBound });
      continue;
    }
    try {
      made =
        state.at === "adopt"
          ? await handOver({ store, federation }, asked, credentials, credential)
          : await store.write(async (tx) => await bindReplica(tx, asked, credentials));
      state = nextJoin(state, { type: "did" });
    } catch (error) {
      if (!isUnknownOutcome(error)) throw error;
      state = nextJoin(state, { type: "unknown" });
    }
  }
  if (made === undefined) throw new SvcError("outcome_unknown");
  return made;
}

/** Removes the mark that the project is leaving: the join cancels the leave. */
function withoutLeave({ leave: _leave, ...mapping }: NonNullable<HubCredential["managed"]>) {
  return mapping;
}

function checkedRequest(
  { placeOf }: Pick<Federation, "placeOf">,
  who: Principal,
  body: Body,
  stored: HubCredential | undefined,
): JoinRequest {
  const place = placeOf(body.hub_url, body.allow_insecure === true);
  const actor = actorOf(who, body.actor);
  // A request without a token and without a list of capabilities has those of the stored token.
  const known = body.token === undefined ? stored?.capabilities : undefined;
  const capabilities = canonicalCapabilities(body.capabilities ?? known ?? "pull");
  if (!capabilities.includes("pull"))
    throw new SvcError("federation_capability_mismatch", { capabilities });
  // A project that is handed over always sends its events.
  const pushes = body.push_enabled === true || body.adopt_existing === true;
  if (pushes && !capabilities.includes("push")) throw withoutPush(capabilities);
  return {
    ...place,
    hub_project_id: body.hub_project_id,
    hub_project_uid: body.hub_project_uid.toUpperCase(),
    project_name: body.project_name,
    replay_horizon_event_id: body.replay_horizon_event_id,
    baseline_through_event_id: body.baseline_through_event_id ?? body.replay_horizon_event_id,
    token: body.token,
    capabilities,
    actor,
    pushes,
  };
}
