import type { CloseReason } from "../../domain/close.ts";
import { badIssueValue } from "../../domain/reserved-keys.ts";
import type { Issue } from "../board/issues.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { touched } from "../writes/inverse.ts";
import { trueIssue } from "../writes/optimism.ts";
import { GONE, sendOrAsk } from "../writes/sending.ts";
import { atOf, type Creation, type Patch, type Write } from "../writes/writes.ts";
import { evidenceIn, evidenceOf } from "./close-form.ts";
import type { FormSheet } from "./dialog.ts";
import { DATE_KEYS, placeOf, projectIn, uidsIn, valueIn } from "./forms.ts";

/** Sends what the form holds. It stays open until the daemon has taken it, so that nothing typed is lost. */
export function saveForm(state: State, sheet: FormSheet): Step {
  const problem = problemOf(state, sheet);
  if (problem !== undefined) {
    const { field, text: error } = problem;
    return step({ ...state, sheet: { ...sheet, error, focus: placeOf(sheet, field) } });
  }
  const writes = writesOf(state, sheet);
  if (writes.length === 0) return step({ ...state, sheet: undefined });
  const input = { ...sheet, error: undefined, leaving: false };
  return sendOrAsk({ ...state, sheet: input }, writes, `${sheet.title}?`, input);
}

interface Problem {
  /** The name of the field; none where it is no field's. */
  readonly field: string;
  readonly text: string;
}

function problemOf(state: State, sheet: FormSheet): Problem | undefined {
  const { form } = sheet.kind;
  const uids = uidsIn(sheet);
  if (uids.length > 0 && uids.every((uid) => trueIssue(state, uid) === undefined))
    return { field: "", text: GONE };
  const isEmpty = (name: string): boolean => valueIn(sheet, name) === "";
  if ((form === "new" || form === "edit") && isEmpty("title"))
    return { field: "title", text: "the title is empty" };
  if (form === "new" && isEmpty("project"))
    return { field: "project", text: "the project is empty: an issue needs one" };
  if (form === "new" && projectIn(state, sheet) === undefined)
    return { field: "project", text: `no project is called ${valueIn(sheet, "project")}` };
  if ((form === "comment" || form === "edit-comment") && isEmpty("body"))
    return { field: "body", text: "the comment is empty" };
  if (form === "close") return emptyEvidence(sheet);
  return form === "dates" ? badDate(sheet) : undefined;
}

function emptyEvidence(sheet: FormSheet): Problem | undefined {
  const at = evidenceIn(sheet).findIndex(({ value: { text } }) => text.trim() === "");
  return at === -1 ? undefined : { field: `value${at + 1}`, text: "this evidence needs a value" };
}

/** In the words of the form: the daemon knows its fields by other names. */
function badDate({ fields }: FormSheet): Problem | undefined {
  for (const { name, label, value, initial, hint } of fields) {
    const text = value.text.trim();
    if (hint === undefined || text === "" || text === initial) continue;
    if (badIssueValue(name, text) !== undefined)
      return { field: name, text: `${label}: ${hint}; "${text}" is none` };
  }
  return undefined;
}

/** What the form says, as writes: none where nothing was changed in it. */
export function writesOf(state: State, sheet: FormSheet): readonly Write[] {
  const { kind } = sheet;
  const about = (uid: string): readonly Issue[] => [trueIssue(state, uid) ?? []].flat();
  switch (kind.form) {
    case "new": {
      const project = projectIn(state, sheet);
      return project === undefined ? [] : [{ act: "create", ...creationOf(sheet, kind, project) }];
    }
    case "edit":
      return about(kind.uid).flatMap((issue) => editOf(sheet, kind.revision, issue));
    case "comment":
      return about(kind.uid).map((issue) => {
        return { act: "comment", at: atOf(issue), body: textOf(sheet, "body"), key: kind.key };
      });
    case "edit-comment": {
      const { comment } = kind;
      const [{ initial: before } = { initial: "" }] = sheet.fields;
      const body = textOf(sheet, "body");
      if (body === before) return [];
      return about(kind.uid).map((issue) => {
        return { act: "edit-comment", at: atOf(issue), comment, body, before };
      });
    }
    case "dates": {
      const patch = datesIn(sheet);
      if (Object.keys(patch).length === 0) return [];
      return kind.uids.flatMap(about).map((issue) => ({ act: "metadata", at: atOf(issue), patch }));
    }
    case "close": {
      const closing = {
        reason: valueIn(sheet, "reason") as CloseReason,
        message: valueIn(sheet, "message") || undefined,
        evidence: evidenceOf(sheet),
      };
      return kind.uids
        .flatMap(about)
        .map((issue) => ({ act: "close", at: atOf(issue), ...closing }));
    }
    case "filter":
      return [];
  }
}

type New = Extract<FormSheet["kind"], { form: "new" }>;

/** In another project it is another issue, so the key that was its own in the first is not that one's. */
function creationOf(
  sheet: FormSheet,
  { project: first, key, force: force_new }: New,
  project: New["project"],
): Creation {
  const value = (name: string): string => valueIn(sheet, name);
  return {
    project,
    title: value("title"),
    body: textOf(sheet, "body"),
    labels: value("labels")
      .split(/[\s,]+/)
      .filter(Boolean),
    owner: value("owner") || undefined,
    priority: value("priority") === "-" ? undefined : Number(value("priority")),
    parent: value("parent").split(" ", 1)[0] || undefined,
    key: project.id === first.id ? key : `${key}-${project.id}`,
    force_new,
  };
}

/** A longer text as it was typed: blanks before its first line may mean something. */
function textOf({ fields }: FormSheet, name: string): string {
  return fields.find((field) => field.name === name)?.value.text.trimEnd() ?? "";
}

/** Only what was changed; and only while it is on the daemon what the person began with. */
function editOf(sheet: FormSheet, revision: number, issue: Issue): readonly Write[] {
  const initial = (name: string): string =>
    sheet.fields.find((field) => field.name === name)?.initial ?? "";
  const changed = (name: string, text: string): string | undefined =>
    text === initial(name).trimEnd() ? undefined : text;
  const title = changed("title", textOf(sheet, "title").trim());
  const body = changed("body", textOf(sheet, "body"));
  if (title === undefined && body === undefined) return [];
  const write: Write = { act: "edit", at: atOf(issue), title, body, revision };
  const base = { ...issue, title: initial("title"), body: initial("body") };
  return [{ ...write, guard: touched(write, base) }];
}

function datesIn({ fields }: FormSheet): Patch {
  const patch: Record<string, string | boolean | null> = {};
  for (const { name, value, initial } of fields) {
    const text = value.text.trim();
    if (text === initial) continue;
    if (DATE_KEYS.some((key) => key === name)) patch[name] = text === "" ? null : text;
    if (name === "someday") patch[name] = text === "yes" ? true : null;
  }
  return patch;
}
