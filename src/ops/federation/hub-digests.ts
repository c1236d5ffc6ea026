import type {
  hashFederationProjectIssues,
  sumFederationProjectEvents,
} from "../../contract/federation-verify.ts";
import type { Output } from "../../contract/route.ts";
import type { Replica } from "./bound-replica.ts";

/** The events after one id of the hub, up to another one. */
export interface SumRange {
  readonly after: number;
  readonly through: number;
}

/** Issues by their uids; without `throughUid` to the end. `through` is the cursor of the copy. */
export interface IssueHashRange {
  readonly afterUid: string;
  readonly throughUid: string | undefined;
  readonly through: number;
}

export type HubSums = Output<typeof sumFederationProjectEvents>;
export type HubIssueHashes = Output<typeof hashFederationProjectIssues>;

/**
 * The questions by which a copy compares itself with its hub. The daemon implements them. Both return `too_old` for a
 * hub that does not know the question, and throw `federation_hub_refused` or `federation_offline` if it does not
 * answer.
 */
export interface HubDigests {
  sums(replica: Replica, range: SumRange): Promise<HubSums | "too_old">;
  issueHashes(replica: Replica, range: IssueHashRange): Promise<HubIssueHashes | "too_old">;
}
