import type { MappedIssue } from "./record.ts";

/**
 * Parks an issue that its source does not offer as work, so that it is not ready in svc either. `word` says why in the
 * words of the source, such as `status hooked`. Returns what the import's report adds to the outcome.
 *
 * An issue with open children is not parked. Its children keep it from being ready, and parking would hold them back
 * too, although the source offers them. A later import parks it when its last child is closed.
 */
export function park(mapped: MappedIssue, word: string): string {
  if (mapped.status === "closed") return "";
  if (mapped.hasOpenChildren) return ", waits for its open children";
  return putOff(mapped, word);
}

/**
 * Parks an issue that somebody put off on purpose, even if it has open children. Parking holds the children back too.
 */
export function putOff(mapped: MappedIssue, word: string): string {
  mapped.parkedBy.push(word);
  return ", parked";
}

/** If the issue is parked, writes to the metadata that it is parked and why, in the words of its source. */
export function applyParked({ prefix, parkedBy, metadata }: MappedIssue): void {
  if (parkedBy.length === 0) return;
  metadata["someday"] = true;
  metadata[`${prefix}.parked`] = parkedBy.join(", ");
}
