import type {
  hashFederationProjectIssues,
  sumFederationProjectEvents,
} from "../../contract/federation-verify.ts";
import type { Output } from "../../contract/route.ts";
import type { HashedRowKind } from "../../store/types/federation.ts";
import type { Replica } from "./bound-replica.ts";

/** The events with ids after `after` and up to `through`. Both are ids on the hub. */
export interface SumRange {
  readonly after: number;
  readonly through: number;
}

/**
 * A range of issues or other rows, by their uids; without `throughUid`, it has no end. `through` is the cursor of the
 * copy.
 */
export interface RowHashRange {
  readonly row: HashedRowKind;
  readonly afterUid: string;
  readonly throughUid: string | undefined;
  readonly through: number;
}

export type HubSums = Output<typeof sumFederationProjectEvents>;
export type HubRowHashes = Output<typeof hashFederationProjectIssues>;

/** The route of `rowHashes`, below the project's federation. */
export function rowHashesPath({ row, afterUid, throughUid, through }: RowHashRange): string {
  const of = row === "issue" ? "" : `&row=${row}`;
  const upTo = throughUid === undefined ? "" : `&through_uid=${throughUid}`;
  return `issue-hashes?after_uid=${afterUid}${upTo}&through_id=${through}${of}`;
}

/**
 * The requests by which a copy compares itself with its hub. The daemon implements them. Both return `too_old` if the
 * hub does not support the request, and throw `federation_hub_refused` or `federation_offline` if the hub gives no
 * result.
 */
export interface HubQuestions {
  sums(replica: Replica, range: SumRange): Promise<HubSums | "too_old">;
  rowHashes(replica: Replica, range: RowHashRange): Promise<HubRowHashes | "too_old">;
}
