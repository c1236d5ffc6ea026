import type { StoredEvent } from "../../contract/events.ts";
import type { Peer } from "../../domain/links.ts";
import type { IssueRow } from "../../domain/state.ts";
import type { Facet } from "../../domain/undo/facets.ts";
import type { Revert, UndoMark, UndoPlan } from "../../domain/undo/plan.ts";

/** What the events of an undo are written from. */
export interface Drafting {
  readonly plan: UndoPlan;
  /** Closes in the history that the plan was made of, by issue. */
  readonly closes: ReadonlyMap<string, readonly StoredEvent<"issue.closed">[]>;
  readonly actor: string;
  readonly now: string;
  /** The time by which leases run. */
  readonly leaseNow: string;
  readonly batch_uid: string;
  peer(uid: string): Peer | undefined;
  /** The short id for an issue that goes back to a project it was in. */
  shortIdIn(projectUid: string, issue: IssueRow): Promise<string>;
}

/** An issue that is put back. */
export interface Placed {
  readonly drafting: Drafting;
  readonly issue: IssueRow;
  /** As the issue shall be. */
  readonly target: IssueRow;
  /** Where it is when this is written. */
  readonly project_uid: string;
}

export type RevertOf<K extends Facet["of"]> = Revert & {
  readonly facet: Extract<Facet, { readonly of: K }>;
};

export function ofKind<K extends Facet["of"]>(
  reverts: readonly Revert[],
  ...kinds: readonly K[]
): readonly RevertOf<K>[] {
  return reverts.filter((revert): revert is RevertOf<K> =>
    kinds.some((kind) => kind === revert.facet.of),
  );
}

export function about({ drafting: { actor }, issue, project_uid }: Placed) {
  return { actor, project_uid, issue_uid: issue.uid };
}

/** How most payloads end: when it was written, and what it takes back. */
export function marked({ drafting }: Placed, reverts: readonly Revert[]) {
  return { updated_at: drafting.now, undo: markOf(drafting, reverts) };
}

export function markOf({ batch_uid }: Drafting, reverts: readonly Revert[]): UndoMark {
  return {
    batch_uid,
    events: [...new Set(reverts.flatMap(({ events }) => events.map(({ uid }) => uid)))],
  };
}
