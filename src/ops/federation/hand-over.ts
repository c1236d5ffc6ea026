import { SvcError } from "../../contract/errors.ts";
import type { OpStore } from "../deps.ts";
import { type AdoptionAnswer, boundState, withoutPermission } from "./adopt-existing.ts";
import { findUnfinished } from "./adopt-project.ts";
import { type JoinRequest, newBinding, requireSame, withoutPush } from "./bind-replica.ts";
import type { BindingRow } from "./binding.ts";
import { type Federation, type HubProjectAnswer, withCredentials } from "./far-side.ts";
import type { HubCredential } from "./hub-credential.ts";
import { replicaFrom } from "./replica.ts";
import {
  type Credentials,
  ofOtherDatabase,
  requireSameCredential,
  requireUnreserved,
} from "./stored-token.ts";

interface Needs {
  readonly store: Pick<OpStore, "read" | "write">;
  readonly federation: Federation;
}

/**
 * Hands a project of this daemon over to the hub. The hub is asked first whether it accepts the project, because the
 * history here is deleted and could not be restored after a refusal. Throws if another token is stored for the hub's
 * project and this join must not replace it.
 *
 * The token is stored before the project is changed: if the daemon ends in between, the engine finishes the adoption
 * and sends the issues without another join. So the hub keeps no enrollment whose token nobody has. If the join fails,
 * call `undoStored`. An unfinished adoption gets another token only if the hub accepts that token for it
 * (docs/contract/federation.md#41-handing-over).
 */
export async function handOver(
  { store, federation }: Needs,
  asked: JoinRequest,
  { stored, isNew, isOfOther, reservedFor }: Credentials,
  credential: HubCredential,
): Promise<AdoptionAnswer> {
  const uid = asked.hub_project_uid;
  if (isOfOther) throw ofOtherDatabase(uid);
  requireUnreserved(reservedFor, uid);
  requireSameCredential(stored, asked);
  const unfinished = await store.read(async (reader) => await findUnfinished(reader, uid));
  if (unfinished !== undefined) requireFits(unfinished, asked);
  const enrolled = await askPermission(federation, asked, credential);
  const { permits_adoption, actor, capabilities } = enrolled;
  if (unfinished !== undefined && isNew) {
    requireFits(unfinished, { ...asked, actor, capabilities });
    if (permits_adoption === false) throw withoutPermission();
  }
  const { token: _token, ...request } = asked;
  if (isNew) await withCredentials(federation, async (all) => await all.store(uid, credential));
  return await federation.adopt({ ...request, permits_adoption });
}

/** Throws unless an enrollment with these attributes can send what the unfinished adoption hands over. */
function requireFits(unfinished: BindingRow, asked: JoinRequest): void {
  requireSame(asked.project_name, unfinished, asked);
  if (!asked.capabilities.includes("push")) throw withoutPush(asked.capabilities);
}

/**
 * Call this if a join with `handOver` has failed. If `credential` was stored for it, stores `before` again, unless the
 * adoption has begun. Whether it has is read in a write: that waits for a write whose outcome is unknown, and is
 * refused while the database itself does not know the outcome. Then `credential` stays, because the adoption may be
 * there later; if it is not, the next start of the daemon deletes the credential (`forgetLeftCredentials`).
 */
export async function undoStored(
  { store, federation }: Needs,
  uid: string,
  { credential, before }: { credential: HubCredential; before: HubCredential | undefined },
): Promise<void> {
  try {
    const { credentials } = federation;
    if ((await credentials.all()).get(uid)?.token !== credential.token) return;
    if ((await store.write(async (tx) => await boundState(tx, uid))) !== false) return;
    if (before === undefined) await credentials.deleteSame(uid, credential);
    else await credentials.replace(uid, credential, before);
  } catch {
    // The caller throws the error of the join, which says more than this one.
  }
}

type EnrolledProject = Exclude<HubProjectAnswer, { readonly refused: string }>;

/**
 * Asks the hub what this enrollment permits. Throws if the hub does not let this daemon read the project, or gives no
 * answer.
 */
async function askPermission(
  { askAt }: Federation,
  asked: JoinRequest,
  credential: HubCredential,
): Promise<EnrolledProject> {
  const replica = replicaFrom(newBinding(asked, ""));
  const answer: HubProjectAnswer =
    replica === undefined ? { refused: "project" } : await askAt(asked, replica, credential);
  if ("refused" in answer) throw refusedBy(answer.refused);
  if (answer.hub_project_uid !== asked.hub_project_uid) throw refusedBy("project");
  return answer;
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
