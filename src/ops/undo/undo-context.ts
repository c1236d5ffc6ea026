import type { StoredEvent } from "../../contract/events.ts";
import type { Act, IssueInProject, UndoMark } from "../../domain/drafts/draft.ts";
import { batchOf } from "../../domain/imports/base.ts";
import type { Peer } from "../../domain/links.ts";
import type { IssueRow } from "../../domain/state.ts";
import type { Facet } from "../../domain/undo/facets.ts";
import { type Revert, type UndoPlan, undoMarkOf } from "../../domain/undo/plan.ts";

export interface UndoContext {
  readonly plan: UndoPlan;
  readonly closes: ReadonlyMap<string, readonly StoredEvent<"issue.closed">[]>;
  readonly actor: string;
  readonly now: string;
  readonly leaseNow: string;
  readonly batch_uid: string;
  peer(uid: string): Peer | undefined;
  /** Returns the short id for an issue that goes back to an earlier project. */
  shortIdIn(projectUid: string, issue: IssueRow): Promise<string>;
}

export interface RestoredIssue {
  readonly context: UndoContext;
  readonly issue: IssueRow;
  readonly target: IssueRow;
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

export function placeOf({ issue: { uid }, project_uid }: RestoredIssue): IssueInProject {
  return { uid, project_uid };
}

/** The actor and the time for the events of an undo, and the mark that says which events they undo. */
export function undoing(
  { actor, now, batch_uid }: Pick<UndoContext, "actor" | "now" | "batch_uid">,
  reverts: readonly Pick<Revert, "events">[],
): Act {
  const undone = reverts.flatMap(({ events }) => events);
  const events = [...new Set(undone.map(({ uid }) => uid))];
  return { actor, now, undo: { batch_uid, events, ...importOf(undone) } };
}

/**
 * The import that an undo concerns. `again` is set if the undone events are themselves an undo of that import: the
 * changes of the import then take effect again.
 */
function importOf(undone: readonly StoredEvent[]): Pick<UndoMark, "import" | "again"> {
  for (const event of undone.toReversed()) {
    const batch = batchOf(event);
    if (batch !== undefined) return { import: batch };
    const mark = undoMarkOf(event);
    if (mark?.import === undefined) continue;
    return { import: mark.import, ...(mark.again === true ? {} : { again: true }) };
  }
  return {};
}
