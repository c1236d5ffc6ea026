import { SvcError } from "../../contract/errors.ts";
import type { OpStore } from "../deps.ts";
import { type AdoptionAnswer, boundState } from "./adopt-existing.ts";
import {
  type Credentials,
  type JoinRequest,
  newBinding,
  ofOtherDatabase,
  requireSameCredential,
} from "./bind-replica.ts";
import { type Federation, type HubProjectAnswer, withCredentials } from "./far-side.ts";
import type { HubCredential } from "./hub-credential.ts";
import { replicaFrom } from "./replica.ts";
import { isUnknownOutcome } from "./unknown-outcome.ts";

interface Needs {
  readonly store: Pick<OpStore, "read">;
  readonly federation: Federation;
}

/**
 * Hands a project of this daemon over to the hub. The hub is asked first whether it accepts the project, because the
 * history here is deleted and could not be restored after a refusal. Throws if another token is stored for the hub's
 * project and this join must not replace it.
 *
 * The token is stored before the project is changed: if the daemon ends in between, the engine finishes the adoption
 * and sends the issues without another join. So the hub keeps no enrollment whose token nobody has. If the adoption is
 * refused, what was stored before is stored again.
 */
export async function handOver(
  { store, federation }: Needs,
  asked: JoinRequest,
  { stored, isNew, isOfOther }: Credentials,
  credential: HubCredential,
): Promise<AdoptionAnswer> {
  const uid = asked.hub_project_uid;
  if (isOfOther) throw ofOtherDatabase(uid);
  requireSameCredential(stored, asked);
  const permits_adoption = await askPermission(federation, asked, credential);
  const { token: _token, ...request } = asked;
  if (isNew) await withCredentials(federation, async (all) => await all.store(uid, credential));
  try {
    return await federation.adopt({ ...request, permits_adoption });
  } catch (error) {
    if (isNew && !isUnknownOutcome(error)) await undoStored({ store, federation }, uid, stored);
    throw error;
  }
}

/** Stores again what was stored before, unless the adoption has begun. */
async function undoStored(
  { store, federation }: Needs,
  uid: string,
  before: HubCredential | undefined,
): Promise<void> {
  if ((await store.read(async (reader) => await boundState(reader, uid))) !== false) return;
  await withCredentials(federation, async (all) => {
    if (before === undefined) await all.delete(uid);
    else await all.store(uid, before);
  });
}

/**
 * Asks the hub whether a project may be handed over with this enrollment; a hub of an older release does not say.
 * Throws if the hub does not let this daemon read the project, or gives no answer.
 */
async function askPermission(
  { askAt }: Federation,
  asked: JoinRequest,
  credential: HubCredential,
): Promise<boolean | undefined> {
  const replica = replicaFrom(newBinding(asked, ""));
  const answer: HubProjectAnswer =
    replica === undefined ? { refused: "project" } : await askAt(asked, replica, credential);
  if ("refused" in answer) throw refusedBy(answer.refused);
  if (answer.hub_project_uid !== asked.hub_project_uid) throw refusedBy("project");
  return answer.permits_adoption;
}

function refusedBy(reason: "token" | "project" | "unavailable"): SvcError {
  if (reason === "unavailable")
    return new SvcError(
      "federation_offline",
      { reason: "hub_unavailable" },
      {
        message: "the hub gives no answer, so nothing was changed",
        hint: "repeat the join when it can be reached",
      },
    );
  const code = reason === "token" ? "auth_invalid" : "project_not_found";
  const message = `the hub does not let this daemon read the project (${code}), so nothing was changed`;
  return new SvcError("federation_hub_refused", { reason: code }, { message });
}
