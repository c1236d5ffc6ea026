import type { Snapshot } from "../../domain/federation/baseline.ts";
import type { StoredProject } from "./rows.ts";

/** A project that its daemon hands over to a hub. */
export interface AdoptedProject {
  readonly project: StoredProject;
  /** The uid that the project has on its hub. The project may have this uid already. */
  readonly uid: string;
  readonly actor: string;
  /** The id of the last event in the log before the events that the hub gets. */
  readonly after: number;
}

/** The writes by which a project becomes a copy (`store/adopt-project.ts`), in this order. */
export interface AdoptionWrites {
  /**
   * Looks at up to `limit` events after the event `from` that removed links. If a removed link belongs to another issue
   * than the event, writes an event of that issue that removes the link too, since the original will be deleted.
   * Returns the id of the last event that was looked at, or undefined at the end.
   */
  keepRemovals(adopted: AdoptedProject, from: number, limit: number): Promise<number | undefined>;
  /** The uids of the next issues that need a snapshot, sorted. */
  issuesToSnapshot(adopted: AdoptedProject, limit: number): Promise<readonly string[]>;
  /** Writes these snapshots, which are sent to the hub, to the log. The rows of the issues stay as they are. */
  writeSnapshots(adopted: AdoptedProject, snapshots: readonly Snapshot[]): Promise<void>;
  /** Lets the new project take the place of the old one. Returns the id of the last event that the hub gets. */
  beginExchange(adopted: AdoptedProject): Promise<number>;
  /** Deletes the older events of some issues, which then belong to the new project. Returns false if none are left. */
  takeOver(adopted: AdoptedProject, limit: number): Promise<boolean>;
  /** Deletes what is left of the old project. Readers of both projects must start again. */
  endExchange(adopted: AdoptedProject): Promise<void>;
}
