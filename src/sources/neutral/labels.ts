import { spellLabel } from "../../domain/imports/spell-label.ts";
import type { Tally } from "./account.ts";
import type { MappedIssue, SourceIssue } from "./record.ts";

interface LabelCounts {
  readonly counts: Tally;
  /** For each label in svc, the spellings of the source that became this label. */
  readonly collisions: Map<string, Set<string>>;
}

/**
 * Adds the issue's labels in a spelling that svc allows. If a spelling changes, the metadata keeps the original labels.
 */
export function mapLabels(
  issue: SourceIssue,
  mapped: MappedIssue,
  { counts, collisions }: LabelCounts,
): void {
  const key = `${mapped.prefix}.labels`;
  let changed = false;
  for (const label of issue.labels) {
    const spelt = spellLabel(label);
    changed ||= spelt !== label;
    if (spelt === undefined) {
      counts.add("labels", "labels", {
        kind: "mapped",
        to: `metadata ${key}`,
        why: "our grammar cannot spell it",
      });
      continue;
    }
    collisions.set(spelt, (collisions.get(spelt) ?? new Set()).add(label));
    if (mapped.labels.has(spelt)) {
      counts.add("labels", "labels", {
        kind: "dropped",
        why: "the issue has the label already, spelt by our grammar",
      });
      continue;
    }
    mapped.labels.add(spelt);
    counts.add(
      "labels",
      "labels",
      spelt === label
        ? { kind: "kept", to: "label" }
        : { kind: "mapped", to: `label, and metadata ${key}`, why: "spelt by our grammar" },
    );
  }
  if (changed) mapped.metadata[key] = [...issue.labels];
}
