import type { Payload, StoredEvent } from "../../contract/events.ts";
import { undoMarkOf } from "../undo/plan.ts";
import { isOfImport, undoneEvents } from "./base.ts";
import type { Fields } from "./merge.ts";

const SOMEDAY = "metadata.someday";

/**
 * Whether a person has parked the issue in svc. This is so if the last change of `someday` was not made by an import.
 * It does not matter whether the issue's source parks it too. Changes that were undone do not count.
 */
export function isParkedHere(uid: string, events: readonly StoredEvent[]): boolean {
  const undone = undoneEvents(events);
  const last = events.findLast(
    (event) =>
      event.issue_uid === uid &&
      setsSomeday(event) &&
      !undone.has(event.uid) &&
      undoMarkOf(event) === undefined,
  );
  return last !== undefined && !isOfImport(last);
}

/**
 * Removes `someday` from the base of a merge, for an issue that a person parked in svc. Otherwise the merge would end
 * the parking when the source begins to offer the issue as work.
 */
export function withoutParking(base: Fields): Fields {
  const kept = new Map(base);
  kept.delete(SOMEDAY);
  return kept;
}

function setsSomeday({ type, payload }: StoredEvent): boolean {
  if (type === "issue.metadata_updated")
    return Object.hasOwn((payload as Payload<"issue.metadata_updated">).diff, "someday");
  if (type !== "issue.created") return false;
  return (payload as Payload<"issue.created">).metadata["someday"] !== undefined;
}
