import type { StoredEvent } from "../../contract/events.ts";
import type { Act, Place } from "../../domain/drafts/draft.ts";
import type { Peer } from "../../domain/links.ts";
import type { IssueRow } from "../../domain/state.ts";
import type { Facet } from "../../domain/undo/facets.ts";
import type { Revert, UndoPlan } from "../../domain/undo/plan.ts";

/** What the events of an undo are written from. */
export interface UndoContext {
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
export interface RestoredIssue {
  readonly context: UndoContext;
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

/** Of the issue's events, as they are written. */
export function placeOf({ issue: { uid }, project_uid }: RestoredIssue): Place {
  return { uid, project_uid };
}

/** The act of an undo: its events say what they take back. */
export function undoing(
  { actor, now, batch_uid }: Pick<UndoContext, "actor" | "now" | "batch_uid">,
  reverts: readonly Revert[],
): Act {
  const events = [...new Set(reverts.flatMap(({ events }) => events.map(({ uid }) => uid)))];
  return { actor, now, undo: { batch_uid, events } };
}
