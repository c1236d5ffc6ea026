import { SvcError } from "../contract/errors.ts";
import { EVIDENCE_FIELDS, type EvidenceType, isEvidenceType } from "../contract/evidence.ts";
import { codePoints } from "./text.ts";

export const CLOSE_REASONS = [
  "done",
  "wontfix",
  "duplicate",
  "superseded",
  "audit-no-change",
] as const;
export type CloseReason = (typeof CLOSE_REASONS)[number];

export interface Evidence {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface Rule {
  /** Code points of the normalised message. */
  readonly message: number;
  /** What must be there: at least one of these, or exactly one when `exactly` says so. */
  readonly needed: readonly string[];
  readonly exactly?: true;
  readonly alsoAllowed?: readonly string[];
}

/** What a close has to say for itself (facts http-api 4.2; the account of outside work is doc 1, 0.14.0). */
const RULES: Readonly<Record<CloseReason, Rule>> = {
  done: { message: 40, needed: ["commit", "pr", "test", "reviewed-paths", "external"] },
  wontfix: { message: 60, needed: [] },
  duplicate: { message: 20, needed: ["duplicate-of"], exactly: true },
  superseded: { message: 20, needed: ["superseded-by"], exactly: true },
  "audit-no-change": {
    message: 40,
    needed: ["no-change-audit"],
    exactly: true,
    alsoAllowed: ["reviewed-paths"],
  },
};

const EMPTY_WORDS: ReadonlySet<string> = new Set(
  "done fixed complete completed ok okay yes no n/a na skip nope".split(" "),
);

/** The types of evidence that a close for this reason may rest on. */
export function evidenceFor(reason: CloseReason): readonly string[] {
  const { needed, alsoAllowed = [] } = RULES[reason];
  return [...needed, ...alsoAllowed];
}

/** Checks the message and the evidence against the reason; refs in evidence are resolved by the caller. */
export function checkClose(
  reason: CloseReason,
  message: string,
  evidence: readonly Evidence[],
): void {
  checkMessage(reason, message);
  for (const item of evidence) checkEvidence(item);
  checkKinds(reason, evidence);
}

/** Trimmed, one space between words, lower case, without the closing `.`, `?` and `!`. */
export function normalizeMessage(message: string): string {
  return message
    .trim()
    .replace(/\s+/gu, " ")
    .toLowerCase()
    .replace(/[.?!]+$/u, "")
    .trimEnd();
}

/** How long a message has to be for that reason. */
export function leastMessage(reason: CloseReason): number {
  return RULES[reason].message;
}

function checkMessage(reason: CloseReason, message: string): void {
  const text = normalizeMessage(message);
  if (EMPTY_WORDS.has(text)) throw invalid("message", `"${text}" does not say what was done`);
  const [length, floor] = [codePoints(text), leastMessage(reason)];
  if (length < floor) {
    throw invalid(
      "message",
      `${reason} needs a message of at least ${floor} characters, this has ${length}`,
    );
  }
}

function checkKinds(reason: CloseReason, evidence: readonly Evidence[]): void {
  const { needed, exactly, alsoAllowed = [] } = RULES[reason];
  const found = evidence.filter(({ type }) => needed.includes(type)).length;
  const foreign = evidence.find(
    ({ type }) => !needed.includes(type) && !alsoAllowed.includes(type),
  );
  if (foreign !== undefined) {
    throw invalid("evidence", `${foreign.type} is no evidence for ${reason}`);
  }
  if (needed.length === 0) return;
  if (exactly ? found !== 1 : found === 0) {
    const wanted = exactly ? `exactly one ${needed[0]}` : `at least one of ${needed.join(", ")}`;
    throw invalid("evidence", `${reason} needs ${wanted}`);
  }
}

interface EvidenceRule {
  readonly accepts: (value: unknown) => boolean;
  readonly form: string;
}

const isText = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";

const EVIDENCE: Readonly<Record<EvidenceType, EvidenceRule>> = {
  commit: {
    accepts: (value) => typeof value === "string" && /^[0-9a-f]{7,40}$/i.test(value),
    form: "7 to 40 hex digits",
  },
  pr: { accepts: isWebUrl, form: "an http or https URL" },
  test: { accepts: isText, form: "text" },
  "reviewed-paths": {
    accepts: (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
    form: "a list of paths",
  },
  external: { accepts: isText, form: "text" },
  "no-change-audit": { accepts: isText, form: "text" },
  "duplicate-of": { accepts: isText, form: "an issue ref" },
  "superseded-by": { accepts: isText, form: "an issue ref" },
};

function checkEvidence(item: Evidence): void {
  const { type } = item;
  if (!isEvidenceType(type)) throw invalid("evidence", `there is no evidence of type ${type}`);
  const field = EVIDENCE_FIELDS[type];
  const foreign = Object.keys(item).find((key) => key !== "type" && key !== field);
  if (foreign !== undefined) throw invalid("evidence", `${type} has no field ${foreign}`);
  const { accepts, form } = EVIDENCE[type];
  if (!accepts(item[field])) throw invalid("evidence", `${type} needs ${field}: ${form}`);
}

function isWebUrl(value: unknown): boolean {
  return typeof value === "string" && /^https?:\/\/[^\s/]+/i.test(value) && URL.canParse(value);
}

function invalid(field: string, reason: string): SvcError {
  return new SvcError("validation", { field }, { message: `${field}: ${reason}` });
}
