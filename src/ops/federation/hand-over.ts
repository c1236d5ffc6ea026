import { SvcError } from "../../contract/errors.ts";
import type { AdoptionAnswer } from "./adopt-existing.ts";
import {
  type Credentials,
  type JoinRequest,
  newBinding,
  ofOtherDatabase,
  requireSameCredential,
} from "./bind-replica.ts";
import type { Federation, HubProjectAnswer } from "./far-side.ts";
import type { HubCredential } from "./hub-credential.ts";
import { replicaFrom } from "./replica.ts";

/**
 * Hands a project of this daemon over to the hub. The hub is asked first whether it accepts the project, because the
 * history here is deleted and could not be restored after a refusal. Throws if another token is stored for the hub's
 * project and this join must not replace it.
 */
export async function handOver(
  federation: Federation,
  asked: JoinRequest,
  { stored, isOfOther }: Credentials,
  credential: HubCredential,
): Promise<AdoptionAnswer> {
  if (isOfOther) throw ofOtherDatabase(asked.hub_project_uid);
  requireSameCredential(stored, asked);
  const permits_adoption = await askPermission(federation, asked, credential);
  const { token: _token, ...request } = asked;
  return await federation.adopt({ ...request, permits_adoption });
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
