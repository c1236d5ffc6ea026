import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import type { OpStore } from "../deps.ts";
import { isHeldAtHub } from "./store-hub-lease.ts";

/** Whether the project is a copy. If so, its hub decides about its leases. */
export async function isCopy({ unfolded }: Reader, project_uid: string): Promise<boolean> {
  return (await unfolded.find("federation_binding", { project_uid }))?.role === "spoke";
}

/**
 * What this daemon knows of the lease of an open issue of a copy, as `hub_lease` of an answer. Empty for other issues,
 * and for an issue that is leased here, since that lease is the hub's lease too. Sends no request: if this daemon has
 * heard of no lease, the state is `unknown`.
 */
export async function hubLeaseOut(
  reader: Reader,
  store: Pick<OpStore, "leaseNow">,
  issue: StoredIssue,
  isLeasedHere: boolean,
) {
  if (isLeasedHere || issue.status !== "open") return {};
  if (!(await isCopy(reader, issue.project_uid))) return {};
  const heard = await reader.unfolded.find("mirrored_lease", { issue_uid: issue.uid });
  if (heard === undefined || !isHeldAtHub(heard, await store.leaseNow()))
    return { hub_lease: { state: "unknown" as const } };
  const { holder, holder_instance_uid, claim_kind, expires_at, heard_at } = heard;
  return {
    hub_lease: {
      state: "held" as const,
      ...{ holder, holder_instance_uid, claim_kind, heard_at },
      ...(expires_at === null ? {} : { expires_at }),
    },
  };
}
