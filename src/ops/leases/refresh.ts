import { SvcError } from "../../contract/errors.ts";
import type { Tx } from "../../store/types/store.ts";
import type { Deps, OpStore } from "../deps.ts";
import { copyIn } from "./copy.ts";
import { isHeldAtHub, storeHubLease } from "./store-hub-lease.ts";

/** How long a write waits for the hub to say whether the lease of another daemon still holds. */
const REFRESH_MS = 500; // docs/contract/federation.md#12-limits

/**
 * Thrown in a write about an issue that another daemon has leased, according to the hub's last answer. The write is
 * then repeated after a request to the hub (`HubGate.over`).
 */
class UnsureLease extends Error {
  readonly issueUid: string;

  constructor(issueUid: string) {
    super("the hub has not been asked about the lease yet");
    this.issueUid = issueUid;
  }
}

/**
 * Refuses a write about an issue of a copy if the hub has leased the issue to another daemon
 * (docs/contract/federation.md#9-leases).
 */
export class HubGate {
  readonly #asked = new Set<string>();
  readonly #store: OpStore;
  readonly #hubLeases: Deps["hubLeases"];

  /** `store` checks no leases. Without `hubLeases`, the hub's last answer counts. */
  constructor(store: OpStore, hubLeases: Deps["hubLeases"]) {
    this.#store = store;
    this.#hubLeases = hubLeases;
  }

  /** Throws `claim_denied` if another daemon has the lease of the issue. Reads nothing on a daemon without copies. */
  async check(tx: Tx, issueUid: string): Promise<void> {
    if (!tx.hasCopies) return;
    const lease = await tx.unfolded.find("mirrored_lease", { issue_uid: issueUid });
    if (lease === undefined || lease.holder_instance_uid === this.#store.instanceUid) return;
    if (!isHeldAtHub(lease, await tx.leaseNow())) return;
    if (this.#hubLeases !== undefined && !this.#asked.has(issueUid))
      throw new UnsureLease(issueUid);
    const { holder, holder_instance_uid, client_kind } = lease;
    throw new SvcError("claim_denied", { holder: { holder, holder_instance_uid, client_kind } });
  }

  /**
   * Returns a store. If the lease of another daemon stops one of its writes, the store asks the hub about the lease and
   * repeats the write.
   */
  over(guarded: OpStore): OpStore {
    return {
      ...guarded,
      write: async (work) => {
        for (;;) {
          try {
            return await guarded.write(work);
          } catch (error) {
            if (!(error instanceof UnsureLease)) throw error;
            this.#asked.add(error.issueUid);
            await this.#refresh(error.issueUid);
          }
        }
      },
    };
  }

  /** Asks the hub and stores its answer. If no answer comes in time, the hub's last answer still counts. */
  async #refresh(issue_uid: string): Promise<void> {
    const replica = await this.#store.read(async (reader) => {
      const issue = await reader.issues.find(issue_uid);
      if (issue === undefined) return undefined;
      return await copyIn(
        { unfolded: reader.unfolded, hasCopies: true },
        { uid: issue.project_uid },
      );
    });
    if (replica === undefined) return;
    const request = { action: "status", issue_uid } as const;
    const asked = await this.#hubLeases
      ?.ask(replica, request, REFRESH_MS)
      .catch((error: unknown) => {
        if (error instanceof SvcError) return undefined;
        throw error;
      });
    if (asked?.outcome !== "answered") return;
    await this.#store.write(async (tx) => {
      if (asked.answer.lease === undefined)
        await tx.unfolded.remove("mirrored_lease", { issue_uid });
      else await storeHubLease(tx, replica, asked.answer);
    });
  }
}
