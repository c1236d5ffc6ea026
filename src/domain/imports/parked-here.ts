import type { Payload, StoredEvent } from "../../contract/events.ts";
import { undoMarkOf } from "../undo/plan.ts";
import { isOfImport, undoneOf } from "./base.ts";
import type { Fields } from "./merge.ts";

const SOMEDAY = "metadata.someday";

/**
 * Whether somebody here parked the issue, as opposed to an import. It is so if the last change of `someday` in the log
 * is no import's, also if an import had parked the issue before, or would have parked it later. Changes that were undone
 * do not count.
 */
export function isParkedHere(uid: string, source: string, events: readonly StoredEvent[]): boolean {
  const undone = undoneOf(events);
  const last = events.findLast(
    (event) =>
      event.issue_uid === uid &&
      setsSomeday(event) &&
      !undone.has(event.uid) &&
      undoMarkOf(event) === undefined,
  );
  return last !== undefined && !isOfImport(last, source);
}

/**
 * The base of a merge without the parking, for an issue that was parked here. So the issue stays parked when its source
 * begins to offer it.
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
