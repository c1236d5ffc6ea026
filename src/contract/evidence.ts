/**
 * The types of close evidence, each with the field that holds it
 * (docs/contract/http-api.md#42-close-reasons-messages-and-evidence).
 */
export const EVIDENCE_FIELDS = {
  commit: "sha",
  pr: "url",
  test: "command",
  "reviewed-paths": "paths",
  external: "account",
  "no-change-audit": "rationale",
  "duplicate-of": "issue_ref",
  "superseded-by": "issue_ref",
} as const;

export type EvidenceType = keyof typeof EVIDENCE_FIELDS;

export const EVIDENCE_TYPES = Object.keys(EVIDENCE_FIELDS) as readonly EvidenceType[];

export function isEvidenceType(text: string): text is EvidenceType {
  return Object.hasOwn(EVIDENCE_FIELDS, text);
}
