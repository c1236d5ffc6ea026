import { type JsonValue, sameJson } from "../../base/json.ts";
import { MAX_ISSUE_LABELS } from "../../contract/limits.ts";
import { isOf } from "../imports/fields.ts";
import { type FieldChanges, type Fields, settleClosedAt } from "../imports/merge.ts";

interface Sides {
  /** The fields as the last run read them. */
  readonly base: Fields;
  readonly local: Fields;
  /** The fields as the host has them, and those fields of `base` that the host does not own. */
  readonly upstream: Fields;
  /** Whether the host changed the issue since it was read last. */
  readonly isNewer: boolean;
}

/**
 * Merges an issue whose fields a code host owns. If the host changed the issue since it was last read, the host's value
 * wins, even over a local edit of a field that did not change on the host. Otherwise a local edit stays. There are
 * three exceptions:
 *
 * - A parent that somebody set here is never replaced.
 * - Comments are only added: the host does not say what became of an earlier one.
 * - A label that an issue has no room for is left out.
 */
export function mergeOwned(sides: Sides): {
  readonly changes: FieldChanges;
  /** The fields with which the next run compares. */
  readonly base: Fields;
} {
  const { base, local, upstream } = sides;
  const changes = new Map<string, JsonValue | undefined>();
  const next = new Map(upstream);
  const keep = (field: string): void => {
    const was = base.get(field);
    if (was === undefined) next.delete(field);
    else next.set(field, was);
  };
  let room = MAX_ISSUE_LABELS - [...local.keys()].filter((field) => isOf("labels", field)).length;
  for (const field of [...new Set([...base.keys(), ...upstream.keys()])].sort()) {
    const there = upstream.get(field);
    if (sameJson(local.get(field), there)) continue;
    const lacksRoom = isOf("labels", field) && there === true && room <= 0;
    if (lacksRoom || !takesHosts(field, sides)) {
      keep(field);
      continue;
    }
    if (isOf("labels", field)) room += there === true ? -1 : 1;
    changes.set(field, there);
  }
  settleClosedAt({ base, local, upstream, changes, next });
  return { changes, base: next };
}

/** Called for a field whose value here differs from the host's. Returns whether the field gets the host's value. */
function takesHosts(field: string, { base, local, upstream, isNewer }: Sides): boolean {
  const [was, here, there] = [base.get(field), local.get(field), upstream.get(field)];
  if (isOf("comments", field)) return was === undefined && there !== undefined;
  const isEdited = !sameJson(was, here);
  if (!isEdited) return !sameJson(was, there);
  if (field === "parent" && here !== undefined) return false;
  return isNewer;
}
