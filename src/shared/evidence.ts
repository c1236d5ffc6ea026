import { invalid } from "../contract/errors.ts";
import {
  EVIDENCE_FIELDS,
  EVIDENCE_TYPES,
  type EvidenceType,
  isEvidenceType,
} from "../contract/evidence.ts";

/** An item of close evidence as a person enters it; each path of `reviewed-paths` is an item of its own. */
export interface Evidence {
  readonly type: EvidenceType;
  readonly value: string;
}

/** An item as the close request has it (docs/contract/http-api.md#42-close-reasons-messages-and-evidence). */
export type EvidenceItem = { type: EvidenceType } & {
  [field in (typeof EVIDENCE_FIELDS)[EvidenceType]]?: field extends "paths" ? string[] : string;
};

/**
 * The evidence as the close request has it, in the given order. All reviewed paths are joined into one item at the
 * position of the first path.
 */
export function evidenceItems(evidence: readonly Evidence[]): EvidenceItem[] {
  const paths = evidence.filter(({ type }) => type === "reviewed-paths").map(({ value }) => value);
  const first = evidence.findIndex(({ type }) => type === "reviewed-paths");
  return evidence.flatMap(({ type, value }, at): EvidenceItem[] => {
    if (type !== "reviewed-paths") return [{ type, [EVIDENCE_FIELDS[type]]: value }];
    return at === first ? [{ type, paths }] : [];
  });
}

/** Parses `commit:1f2e3d4`; everything after the first colon is the value. */
export function readEvidence(text: string): Evidence {
  const at = text.indexOf(":");
  const type = text.slice(0, Math.max(at, 0));
  if (!isEvidenceType(type))
    throw invalid(
      `--evidence needs type:value, not ${JSON.stringify(text)}`,
      `the types are ${EVIDENCE_TYPES.join(", ")}`,
    );
  return { type, value: text.slice(at + 1) };
}

/**
 * Formats the stored evidence of a close, each item as in `commit:1f2e3d4`. If only a newer daemon knows the item's
 * type, the text has just the type.
 */
export function storedEvidence(items: unknown): readonly string[] {
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: unknown) => {
    if (typeof item !== "object" || item === null) return [];
    const { type, ...rest } = item as Readonly<Record<string, unknown>>;
    if (typeof type !== "string") return [];
    if (!isEvidenceType(type)) return [type];
    const value = rest[EVIDENCE_FIELDS[type]];
    const text = Array.isArray(value) ? value.join(",") : value;
    return typeof text === "string" ? [`${type}:${text}`] : [type];
  });
}

/** Formats an item: `commit:1f2e3d4`, `reviewed-paths:a.ts,b.ts`. */
export function evidenceText(item: EvidenceItem): string {
  const value = item[EVIDENCE_FIELDS[item.type]];
  return `${item.type}:${Array.isArray(value) ? value.join(",") : (value ?? "")}`;
}
