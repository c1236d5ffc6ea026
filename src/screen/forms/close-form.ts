import { EVIDENCE_FIELDS, type EvidenceType, isEvidenceType } from "../../contract/evidence.ts";
import {
  CLOSE_REASONS,
  type CloseReason,
  closeFaults,
  evidenceFor,
  leastMessage,
} from "../../domain/close.ts";
import type { Evidence } from "../../shared/evidence.ts";
import { fieldOf } from "../field.ts";
import type { Issue } from "../issues/issues.ts";
import { openBlockersOf } from "../issues/neighbours.ts";
import type { State } from "../state.ts";
import type { FormDialog, FormField } from "./dialog.ts";
import { aboutAll, fieldRow, formOf, valueIn } from "./forms.ts";

export function closeForm(issues: readonly Issue[], id: number): FormDialog {
  const uids = issues.map(({ uid }) => uid);
  return formOf(id, { form: "close", uids }, `close ${aboutAll(issues)}`, [
    fieldRow("reason", "Reason", "done", { choices: CLOSE_REASONS }),
    fieldRow("message", "Message", "", { lines: 3 }),
    evidenceRow(1, "done", "none"),
  ]);
}

function evidenceRow(at: number, reason: string, type: string): FormField {
  const types = isReason(reason) ? evidenceFor(reason) : [];
  return fieldRow(`evidence${at}`, at === 1 ? "Evidence" : "and", type, {
    choices: ["none", ...types],
  });
}

function isReason(text: string): text is CloseReason {
  return CLOSE_REASONS.some((reason) => reason === text);
}

const EVIDENCE: Readonly<Record<EvidenceType, readonly [label: string, help: string]>> = {
  commit: ["Commit", "the commit that has the work: 7 to 40 digits of its hash"],
  pr: ["URL", "the pull request that has the work: its http or https URL"],
  test: ["Command", "the command that shows that it works"],
  "reviewed-paths": ["Paths", "files that were read, with blanks between their paths"],
  external: ["Account", "work done elsewhere: the account that did it"],
  "no-change-audit": ["Rationale", "why nothing had to change"],
  "duplicate-of": ["Issue", "the issue that asks for the same: its id, or a part of its title"],
  "superseded-by": ["Issue", "the issue that took its place: its id, or a part of its title"],
};

/**
 * Adds a row for the value below each evidence row that has a type. If the reason allows evidence, also adds one empty
 * evidence row at the end.
 */
export function withEvidenceRows(dialog: FormDialog): FormDialog {
  if (dialog.kind.form !== "close") return dialog;
  const reason = dialog.fields.find(({ name }) => name === "reason")?.value.text ?? "done";
  const types: readonly string[] = isReason(reason) ? evidenceFor(reason) : [];
  const entered = evidenceIn(dialog).filter(({ type }) => types.includes(type));
  // Each reason except `done` requires at most one type of evidence. This type is the first in the list, and is chosen
  // in advance.
  const [only] = types;
  const isWanted = entered.length === 0 && types.length > 0 && reason !== "done";
  const all = isWanted && only !== undefined ? [{ type: only, value: fieldOf("") }] : entered;
  const rows = all.flatMap(({ type, value }, at): readonly FormField[] => [
    { ...evidenceRow(at + 1, reason, "none"), value: fieldOf(type) },
    {
      ...fieldRow(`value${at + 1}`, isEvidenceType(type) ? EVIDENCE[type][0] : "Value", ""),
      ...(type === "duplicate-of" || type === "superseded-by" ? { complete: "ref" as const } : {}),
      value,
    },
  ]);
  const more = types.length === 0 ? [] : [evidenceRow(all.length + 1, reason, "none")];
  const fields = [...dialog.fields.slice(0, 2), ...rows, ...more];
  const title = closeTitle(dialog.title.split(CLOSE_RULE, 1)[0] ?? dialog.title, reason);
  return { ...dialog, title, fields, focus: Math.min(dialog.focus, fields.length - 1) };
}

const CLOSE_RULE = ": ";

/** Adds to the title how long a message the reason requires, except for `done`, which may need no message. */
function closeTitle(title: string, reason: string): string {
  if (!isReason(reason) || reason === "done") return title;
  return `${title}${CLOSE_RULE}${reason} needs a message of ${leastMessage(reason)} characters or more`;
}

export function evidenceIn({ fields }: Pick<FormDialog, "fields">) {
  return fields.flatMap((field) => {
    const at = /^evidence(\d+)$/.exec(field.name)?.[1];
    if (at === undefined || field.value.text === "none") return [];
    const value = fields.find(({ name }) => name === `value${at}`)?.value ?? fieldOf("");
    return [{ type: field.value.text, value }];
  });
}

/** The evidence for a write: each reviewed path is one item. */
export function evidenceOf(dialog: FormDialog): readonly Evidence[] {
  return evidenceIn(dialog).flatMap(({ type, value: { text } }): readonly Evidence[] => {
    if (!isEvidenceType(type)) return [];
    if (type === "reviewed-paths") return pathsIn(text).map((value) => ({ type, value }));
    const isRef = type === "duplicate-of" || type === "superseded-by";
    const value = isRef ? (text.trim().split(" ", 1)[0] ?? "") : text.trim();
    return [{ type, value }];
  });
}

function pathsIn(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

/** Lines about what may prevent the close. The screen may not know everything, so the daemon decides. */
export function closeObstacles(state: State, dialog: FormDialog): readonly string[] {
  if (dialog.kind.form !== "close") return [];
  const issues = dialog.kind.uids.flatMap((uid) => state.issues.get(uid) ?? []);
  const isOne = issues.length === 1;
  return [
    ...obstaclesOf(state, dialog.kind.uids),
    ...lacking(state, dialog),
    ...issues.flatMap((issue) => openBlockers(state, issue, isOne)),
  ];
}

/**
 * Lines about what prevents the close of these issues, whatever is typed: open children, and leases of other holders.
 */
export function obstaclesOf(state: State, uids: readonly string[]): readonly string[] {
  const issues = uids.flatMap((uid) => state.issues.get(uid) ?? []);
  return [...openChildren(state, issues), ...issues.flatMap((issue) => leased(state, issue))];
}

const MAX_NAMED = 3;

/** The lines about open children: a parent cannot be closed before its children. */
function openChildren({ issues }: State, parents: readonly Issue[]): readonly string[] {
  const below = new Map(parents.map(({ uid }): [string, Issue[]] => [uid, []]));
  for (const issue of issues.values())
    if (issue.status === "open") below.get(issue.parent ?? "")?.push(issue);
  return parents.flatMap(({ uid, qualified_id, child_counts }) => {
    const found = below.get(uid) ?? [];
    const count = Math.max(found.length, child_counts.open);
    if (count === 0) return [];
    const whose = parents.length === 1 ? "" : `${qualified_id}: `;
    const what = count === 1 ? "an open child" : `${count} open children`;
    const lead = `${whose}${what}: close ${count === 1 ? "it" : "them"} first, or give another parent`;
    return [lead, ...named(found, count)];
  });
}

function named(issues: readonly Issue[], count: number): readonly string[] {
  const lines = issues
    .slice(0, MAX_NAMED)
    .map(({ qualified_id, title }) => `  ${qualified_id}  ${title}`);
  const more = count - lines.length;
  return more === 0 ? lines : [...lines, `  and ${more} more`];
}

/** The line about another holder's lease, which prevents the close. The lease is known only if the detail was read. */
function leased(
  { detail: { known: details }, session: { actor } }: State,
  { uid, qualified_id }: Issue,
): readonly string[] {
  const lease = details.get(uid)?.show?.lease;
  return lease === undefined || lease.holder === actor
    ? []
    : [`${qualified_id} is leased to ${lease.holder}`];
}

/** The line about open blockers. It is only a hint, because blockers do not prevent a close. */
function openBlockers({ issues }: State, issue: Issue, isOne: boolean): readonly string[] {
  const open = openBlockersOf(issues, issue);
  const [first] = open;
  if (first === undefined) return [];
  const whose = isOne ? "it" : issue.qualified_id;
  const more = open.length === 1 ? "" : ` and ${open.length - 1} more`;
  return [
    `${whose} can be closed, though it waits for ${first.qualified_id} "${first.title}"${more}`,
  ];
}

/**
 * The faults of the form's values. If the daemon allows a close without message and evidence, a form with neither has
 * no faults.
 */
function lacking(state: State, dialog: FormDialog): readonly string[] {
  const reason = valueIn(dialog, "reason");
  if (!isReason(reason) || isQuick(state, dialog)) return [];
  const faults = closeFaults(reason, valueIn(dialog, "message"), wireEvidence(dialog));
  return faults.map(({ field, reason: why }) => `${field}: ${why}`);
}

function isQuick({ connection: { quickClose } }: State, dialog: FormDialog): boolean {
  return quickClose && valueIn(dialog, "message") === "" && evidenceIn(dialog).length === 0;
}

function wireEvidence(dialog: FormDialog) {
  return evidenceIn(dialog).map(({ type, value: { text } }) => {
    const value = type === "reviewed-paths" ? pathsIn(text) : text.trim();
    return isEvidenceType(type) ? { type, [EVIDENCE_FIELDS[type]]: value } : { type };
  });
}

export function closeHelp(state: State, dialog: FormDialog): string {
  const { name = "", value } = dialog.fields[dialog.focus] ?? {};
  const reason = valueIn(dialog, "reason");
  if (!isReason(reason)) return "";
  const least = leastMessage(reason);
  if (name === "reason") {
    const takesEvidence = evidenceFor(reason).length > 0;
    const wanted = `a message of ${least} characters or more${takesEvidence ? " and evidence" : ""}`;
    const empty = takesEvidence ? ", or neither" : ", or none";
    return `${MEANINGS[reason]}: ${wanted}${state.connection.quickClose ? empty : ""}`;
  }
  if (name === "message") {
    const none = isQuick(state, dialog) ? ", or nothing at all" : "";
    return `what came of it and how that is known: ${least} characters or more${none}`;
  }
  const type = name.startsWith("value")
    ? valueIn(dialog, name.replace("value", "evidence"))
    : (value?.text ?? "");
  return isEvidenceType(type) ? EVIDENCE[type][1] : "what anybody can look at";
}

const MEANINGS: Readonly<Record<CloseReason, string>> = {
  done: "the work is done",
  wontfix: "nobody will do it",
  duplicate: "another issue asks for the same",
  superseded: "another issue took its place",
  "audit-no-change": "looked into, and nothing had to change",
};
