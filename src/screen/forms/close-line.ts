import { EVIDENCE_FIELDS, EVIDENCE_TYPES, type EvidenceType } from "../../contract/evidence.ts";
import { CLOSE_REASONS, type CloseReason, closeFaults } from "../../domain/close.ts";
import type { Evidence } from "../../shared/evidence.ts";
import { fieldOf } from "../field.ts";
import type { Issue } from "../issues/issues.ts";
import type { State } from "../state.ts";
import { linkTargets } from "../writes/links.ts";
import { closeForm, obstaclesOf, withEvidenceRows } from "./close-form.ts";
import { type FormDialog, type PromptDialog, promptDialog } from "./dialog.ts";
import { aboutAll, fieldRow } from "./forms.ts";

/**
 * Opens a prompt for what the daemon requires for a close: a reason, a message or evidence. `of` is the number of
 * issues that were chosen.
 */
export function askClose(state: State, issues: readonly Issue[], of = issues.length): PromptDialog {
  const uids = issues.map(({ uid }) => uid);
  const about = issues.length < of ? `${issues.length} of ${of} issues` : aboutAll(issues);
  return promptDialog("close", `close ${about}`, {
    uids,
    choices: linkTargets(state, "duplicate", uids),
  });
}

export interface ClosingLine {
  readonly reason: CloseReason;
  readonly message: string;
  readonly evidence: readonly Evidence[];
}

const ITEM = new RegExp(`(?<!\\S)(${EVIDENCE_TYPES.join("|")}):("[^"]*"|\\S+)`, "g");
const REASON = new RegExp(`^(${CLOSE_REASONS.join("|")}):(?=\\s|$)`);

/**
 * Parses the text of a close prompt, such as `Both spokes keep their grants now. commit:1f2e3d4 test:"npm test"`. The
 * text may begin with a reason (`wontfix: nobody uses it`). If it does not, evidence that is allowed for only one
 * reason decides the reason; otherwise the reason is `done`. Words that are neither reason nor evidence are the
 * message.
 */
export function parseClosing(line: string): ClosingLine {
  const text = line.trim();
  const named = CLOSE_REASONS.find((reason) => REASON.exec(text)?.[1] === reason);
  const evidence = [...text.matchAll(ITEM)].flatMap(([, name, value = ""]) => {
    const type = EVIDENCE_TYPES.find((one) => one === name);
    return type === undefined
      ? []
      : valuesOf(type, unquoted(value)).map((one) => ({ type, value: one }));
  });
  const implied = ONLY_FOR.find(([type]) => evidence.some((item) => item.type === type))?.[1];
  const message = text.replace(REASON, "").replace(ITEM, " ").replace(/\s+/g, " ").trim();
  return { reason: named ?? implied ?? "done", message, evidence };
}

const ONLY_FOR: readonly (readonly [EvidenceType, CloseReason])[] = [
  ["duplicate-of", "duplicate"],
  ["superseded-by", "superseded"],
  ["no-change-audit", "audit-no-change"],
];

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1) : value;
}

function valuesOf(type: EvidenceType, value: string): readonly string[] {
  return type === "reviewed-paths" ? value.split(/[\s,]+/).filter(Boolean) : [value];
}

/**
 * What is missing or wrong in the text, by the rules that are known here. If the result is empty, the daemon will
 * probably accept the text.
 */
export function faultsInLine(line: string): readonly string[] {
  const { reason, message, evidence } = parseClosing(line);
  const items = EVIDENCE_TYPES.flatMap(
    (type): { type: EvidenceType; [field: string]: unknown }[] => {
      const values = evidence.filter((item) => item.type === type).map(({ value }) => value);
      if (type === "reviewed-paths") return values.length === 0 ? [] : [{ type, paths: values }];
      return values.map((value) => ({ type, [EVIDENCE_FIELDS[type]]: value }));
    },
  );
  return closeFaults(reason, message, items).map((fault) => fault.reason);
}

/** The lines below the prompt: why the daemon refused it, what is in the way, and what to type. */
export function closeNotes(state: State, { field, uids, error }: PromptDialog): readonly string[] {
  const { reason } = parseClosing(field.text);
  const lacking = faultsInLine(field.text);
  const how = reason === "done" ? [HOW] : [];
  return [
    ...(error === undefined ? [] : [error]),
    ...obstaclesOf(state, uids),
    ...(lacking.length === 0 ? [`enter closes as ${reason}`] : [...how, ...lacking]),
  ];
}

const HOW =
  'what came of it, with commit:1f2e3d4, pr:https://..., test:"npm test" or external:who; or wontfix:';

/** The words that may follow in the line: a reason at its beginning, a type of evidence, or an issue. */
export function closeWords(line: string, refs: readonly string[]): readonly string[] {
  const part = line.split(" ").at(-1) ?? "";
  const [, type, ref] = /^(duplicate-of|superseded-by):(.*)$/.exec(part) ?? [];
  if (type !== undefined && ref !== undefined && ref !== "") {
    const wanted = ref.toLowerCase();
    const fits = (choice: string): boolean => choice.toLowerCase().includes(wanted);
    return refs.filter(fits).map((choice) => `${type}:${choice}`);
  }
  if (part.length < 2) return [];
  const reasons = part === line ? CLOSE_REASONS : [];
  return [...reasons, ...EVIDENCE_TYPES]
    .map((word) => `${word}:`)
    .filter((word) => word.startsWith(part) && word !== part);
}

/** The form for a close, filled with the values that the prompt contains. */
export function closeFormOf(state: State, dialog: PromptDialog, id: number): FormDialog {
  const issues = dialog.uids.flatMap((uid) => state.issues.get(uid) ?? []);
  const { reason, message, evidence } = parseClosing(dialog.field.text);
  const form = closeForm(issues, id);
  const values: Readonly<Record<string, string>> = { reason, message };
  const fields = form.fields
    .slice(0, 2)
    .map((field) => ({ ...field, value: fieldOf(values[field.name] ?? "") }));
  const rows = evidence.flatMap(({ type, value }, at) => [
    fieldRow(`evidence${at + 1}`, "Evidence", type, { choices: [type] }),
    fieldRow(`value${at + 1}`, "Value", value),
  ]);
  return withEvidenceRows({ ...form, fields: [...fields, ...rows] });
}
