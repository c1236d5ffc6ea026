import { invalidField } from "../contract/errors.ts";
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
  /** Minimum length of the normalized message, in code points. */
  readonly message: number;
  /** Evidence that is required: at least one of these types, or exactly one if `exactly` is set. */
  readonly needed: readonly string[];
  readonly exactly?: true;
  readonly alsoAllowed?: readonly string[];
}

/** The requirements of each close reason (docs/contract/http-api.md#42-close-reasons-messages-and-evidence). */
const CLOSE_RULES: Readonly<Record<CloseReason, Rule>> = {
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

export function evidenceFor(reason: CloseReason): readonly string[] {
  const { needed, alsoAllowed = [] } = CLOSE_RULES[reason];
  return [...needed, ...alsoAllowed];
}

export interface CloseFault {
  readonly field: "message" | "evidence";
  readonly reason: string;
}

/**
 * Checks the message and the evidence of a close, and throws for the first fault. Does not check that the refs in the
 * evidence name existing issues (the caller resolves them).
 */
export function checkClose(
  reason: CloseReason,
  message: string,
  evidence: readonly Evidence[],
): void {
  const [first] = closeFaults(reason, message, evidence);
  if (first === undefined) return;
  const { field } = first;
  throw invalidField(field, first.reason);
}

/** Returns all faults of the message and the evidence, so that a form can show them before the close is sent. */
export function closeFaults(
  reason: CloseReason,
  message: string,
  evidence: readonly Evidence[],
): readonly CloseFault[] {
  const why = messageFault(reason, message);
  const shown = [...evidence.map(evidenceFault), kindsFault(reason, evidence)];
  return [
    ...(why === undefined ? [] : [{ field: "message", reason: why } as const]),
    ...shown.flatMap((fault) =>
      fault === undefined ? [] : [{ field: "evidence", reason: fault } as const],
    ),
  ];
}

export function normalizeMessage(message: string): string {
  return message
    .trim()
    .replace(/\s+/gu, " ")
    .toLowerCase()
    .replace(/[.?!]+$/u, "")
    .trimEnd();
}

export function leastMessage(reason: CloseReason): number {
  return CLOSE_RULES[reason].message;
}

function messageFault(reason: CloseReason, message: string): string | undefined {
  const text = normalizeMessage(message);
  if (EMPTY_WORDS.has(text)) return `"${text}" does not say what was done`;
  const [length, floor] = [codePoints(text), leastMessage(reason)];
  return length < floor
    ? `${reason} needs a message of at least ${floor} characters, this has ${length}`
    : undefined;
}

function kindsFault(reason: CloseReason, evidence: readonly Evidence[]): string | undefined {
  const { needed, exactly, alsoAllowed = [] } = CLOSE_RULES[reason];
  const found = evidence.filter(({ type }) => needed.includes(type)).length;
  const foreign = evidence.find(
    ({ type }) => !needed.includes(type) && !alsoAllowed.includes(type),
  );
  if (foreign !== undefined) return `${foreign.type} is no evidence for ${reason}`;
  if (needed.length === 0) return undefined;
  if (exactly ? found !== 1 : found === 0) {
    const wanted = exactly ? `exactly one ${needed[0]}` : `at least one of ${needed.join(", ")}`;
    return `${reason} needs ${wanted}`;
  }
  return undefined;
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

function evidenceFault(item: Evidence): string | undefined {
  const { type } = item;
  if (!isEvidenceType(type)) return `there is no evidence of type ${type}`;
  const field = EVIDENCE_FIELDS[type];
  const foreign = Object.keys(item).find((key) => key !== "type" && key !== field);
  if (foreign !== undefined) return `${type} has no field ${foreign}`;
  const { accepts, form } = EVIDENCE[type];
  return accepts(item[field]) ? undefined : `${type} needs ${field}: ${form}`;
}

function isWebUrl(value: unknown): boolean {
  return typeof value === "string" && /^https?:\/\/[^\s/]+/i.test(value) && URL.canParse(value);
}
