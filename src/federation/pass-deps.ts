import type { Clock } from "../base/clock.ts";
import type { OpStore } from "../ops/deps.ts";
import type { Replica } from "../ops/federation/bound-replica.ts";
import type { RejoinOutcome } from "../ops/federation/rejoin.ts";
import type { ReplicaReset, ResetOutcome } from "../ops/federation/reset-replica.ts";
import type { PageToWrite, WrittenPage } from "../ops/federation/write-page.ts";
import type { Hub } from "./hub.ts";

export interface PassDeps {
  readonly store: OpStore;
  readonly clock: Clock;
  /** Writes a page in one transaction, in the write worker if it is large. */
  write(page: PageToWrite): Promise<WrittenPage>;
  /** Clears the copy, in the write worker if it is large. */
  reset(reset: ReplicaReset): Promise<ResetOutcome>;
  /** Whether the enrollment permits leases. */
  readonly permitsLeases?: boolean;
  /** Lets a project that joined again send what was changed before it joined, in the write worker if it is large. */
  beginSending(read: { readonly replica: Replica }): Promise<RejoinOutcome>;
  /** Opens the hub of a replica. Throws `HubFault` if no request may be sent to it. */
  hubOf(replica: Replica): Promise<Hub>;
}
