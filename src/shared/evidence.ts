import {
  EVIDENCE_FIELDS,
  EVIDENCE_TYPES,
  type EvidenceType,
  isEvidenceType,
} from "../contract/evidence.ts";
import { invalid } from "./invalid.ts";

/** A piece of evidence as people give it: of `reviewed-paths` one path, of the two that name an issue its ref. */
export interface Evidence {
  readonly type: EvidenceType;
  readonly value: string;
}

/** The same as a request to close has it (facts http-api 4.2). */
export type EvidenceItem = { type: EvidenceType } & {
  [field in (typeof EVIDENCE_FIELDS)[EvidenceType]]?: field extends "paths" ? string[] : string;
};

/** In the order given; all reviewed paths are one item, which stands where the first of them does. */
export function evidenceItems(given: readonly Evidence[]): EvidenceItem[] {
  const paths = given.filter(({ type }) => type === "reviewed-paths").map(({ value }) => value);
  const first = given.findIndex(({ type }) => type === "reviewed-paths");
  return given.flatMap(({ type, value }, at): EvidenceItem[] => {
    if (type !== "reviewed-paths") return [{ type, [EVIDENCE_FIELDS[type]]: value }];
    return at === first ? [{ type, paths }] : [];
  });
}

/** `commit:1f2e3d4`; everything behind the first colon is the value. */
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

/** `commit:1f2e3d4`, `reviewed-paths:a.ts,b.ts`. */
export function evidenceText(item: EvidenceItem): string {
  const value = item[EVIDENCE_FIELDS[item.type]];
  return `${item.type}:${Array.isArray(value) ? value.join(",") : (value ?? "")}`;
}
