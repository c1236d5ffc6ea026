import type { CloseReason } from "../../domain/close.ts";
import { badIssueValue } from "../../domain/reserved-keys.ts";
import type { Issue } from "../issues/issues.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { dateMeant } from "../times.ts";
import { changedFields } from "../writes/inverse.ts";
import { trueIssue } from "../writes/optimism.ts";
import { GONE, sendOrAsk } from "../writes/sending.ts";
import { atOf, type Creation, type Patch, type Write } from "../writes/writes.ts";
import { evidenceIn, evidenceOf } from "./close-form.ts";
import type { FormDialog } from "./dialog.ts";
import { DATE_KEYS, placeOf, projectIn, uidsIn, valueIn } from "./forms.ts";
import { newSeriesWrite } from "./new-series-form.ts";
import { ownerInDoubt, withOwnerNamed } from "./person.ts";
import { emptySeries, seriesWrites } from "./series-form.ts";

/** Sends the form. It stays open until the daemon has accepted it. */
export function saveForm(state: State, dialog: FormDialog): Step {
  const problem = problemOf(state, dialog);
  if (problem !== undefined) {
    const { field, text: error } = problem;
    return step({
      ...state,
      dialog: { ...dialog, error, isUnsent: false, focus: placeOf(dialog, field) },
    });
  }
  const writes = writesOf(state, withOwnerNamed(state, dialog));
  if (writes.length === 0) return step({ ...state, dialog: undefined });
  const input = { ...dialog, error: undefined, isUnsent: false, leaving: false };
  return sendOrAsk({ ...state, dialog: input }, writes, `${dialog.title}?`, input);
}

interface Problem {
  /** The name of the field; empty if the problem is not about one field. */
  readonly field: string;
  readonly text: string;
}

function problemOf(state: State, dialog: FormDialog): Problem | undefined {
  const { form } = dialog.kind;
  const uids = uidsIn(dialog);
  if (uids.length > 0 && uids.every((uid) => trueIssue(state, uid) === undefined))
    return { field: "", text: GONE };
  const isEmpty = (name: string): boolean => valueIn(dialog, name) === "";
  if ((form === "new" || form === "edit") && isEmpty("title"))
    return { field: "title", text: "the title is empty" };
  if (form === "new" && isEmpty("project"))
    return { field: "project", text: "the project is empty: an issue needs one" };
  if (form === "new" && projectIn(state, dialog) === undefined)
    return { field: "project", text: `no project is called ${valueIn(dialog, "project")}` };
  if ((form === "comment" || form === "edit-comment") && isEmpty("body"))
    return { field: "body", text: "the comment is empty" };
  if (form === "new") return ownerInDoubt(state, dialog);
  if (form === "series" || form === "new-series")
    return emptySeries(dialog) ?? ownerInDoubt(state, dialog);
  if (form === "close") return emptyEvidence(dialog);
  return form === "dates" ? badDate(state, dialog) : undefined;
}

function emptyEvidence(dialog: FormDialog): Problem | undefined {
  const at = evidenceIn(dialog).findIndex(({ value: { text } }) => text.trim() === "");
  return at === -1 ? undefined : { field: `value${at + 1}`, text: "this evidence needs a value" };
}

/** The problem of the first invalid date. Its text has the form's label, since the daemon names fields differently. */
function badDate(state: State, { fields }: FormDialog): Problem | undefined {
  for (const { name, label, value, initial, hint } of fields) {
    const text = value.text.trim();
    if (hint === undefined || text === "" || text === initial) continue;
    if (badIssueValue(name, dateIn(state, name, text)) !== undefined)
      return { field: name, text: `${label}: ${hint}; "${text}" is none` };
  }
  return undefined;
}

export function writesOf(state: State, dialog: FormDialog): readonly Write[] {
  const { kind } = dialog;
  const about = (uid: string): readonly Issue[] => [trueIssue(state, uid) ?? []].flat();
  switch (kind.form) {
    case "new": {
      const project = projectIn(state, dialog);
      return project === undefined ? [] : [{ act: "create", ...creationOf(dialog, kind, project) }];
    }
    case "edit":
      return about(kind.uid).flatMap((issue) => editOf(dialog, kind.revision, issue));
    case "comment":
      return about(kind.uid).map((issue) => {
        return { act: "comment", at: atOf(issue), body: textOf(dialog, "body"), key: kind.key };
      });
    case "edit-comment": {
      const { comment } = kind;
      const [{ initial: before } = { initial: "" }] = dialog.fields;
      const body = textOf(dialog, "body");
      if (body === before) return [];
      return about(kind.uid).map((issue) => {
        return { act: "edit-comment", at: atOf(issue), comment, body, before };
      });
    }
    case "dates": {
      const patch = datesIn(state, dialog);
      if (Object.keys(patch).length === 0) return [];
      return kind.uids.flatMap(about).map((issue) => ({ act: "metadata", at: atOf(issue), patch }));
    }
    case "close": {
      const closing = {
        reason: valueIn(dialog, "reason") as CloseReason,
        message: valueIn(dialog, "message") || undefined,
        evidence: evidenceOf(dialog),
      };
      return kind.uids
        .flatMap(about)
        .map((issue) => ({ act: "close", at: atOf(issue), ...closing }));
    }
    case "new-series":
      return [newSeriesWrite(dialog, kind)];
    case "series":
      return seriesWrites(state, dialog, kind);
    case "filter":
      return [];
  }
}

type New = Extract<FormDialog["kind"], { form: "new" }>;

/**
 * The issue to create. If the person has changed the project in the form, this is another request, so it gets another
 * idempotency key.
 */
function creationOf(
  dialog: FormDialog,
  { project: first, key, force: force_new, metadata }: New,
  project: New["project"],
): Creation {
  const value = (name: string): string => valueIn(dialog, name);
  return {
    project,
    title: value("title"),
    body: textOf(dialog, "body"),
    labels: value("labels")
      .split(/[\s,]+/)
      .filter(Boolean),
    owner: value("owner") || undefined,
    priority: value("priority") === "-" ? undefined : Number(value("priority")),
    parent: value("parent").split(" ", 1)[0] || undefined,
    key: project.id === first.id ? key : `${key}-${project.id}`,
    force_new,
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** Leading blanks are kept: they may matter in Markdown. */
function textOf({ fields }: FormDialog, name: string): string {
  return fields.find((field) => field.name === name)?.value.text.trimEnd() ?? "";
}

/**
 * The write for the changed fields; none if nothing was changed. The write is refused if somebody else has changed one
 * of these fields since the form was opened.
 */
function editOf(dialog: FormDialog, revision: number, issue: Issue): readonly Write[] {
  const initial = (name: string): string =>
    dialog.fields.find((field) => field.name === name)?.initial ?? "";
  const changed = (name: string, text: string): string | undefined =>
    text === initial(name).trimEnd() ? undefined : text;
  const title = changed("title", textOf(dialog, "title").trim());
  const body = changed("body", textOf(dialog, "body"));
  if (title === undefined && body === undefined) return [];
  const base = { ...issue, title: initial("title"), body: initial("body") };
  const before = body === undefined ? undefined : base.body;
  const write: Write = { act: "edit", at: atOf(issue), title, body, revision, before };
  return [{ ...write, guard: changedFields(write, base) }];
}

function dateIn(state: State, name: string, text: string): string {
  return name === "timezone" ? text : dateMeant(state, text);
}

function datesIn(state: State, { fields }: FormDialog): Patch {
  const patch: Record<string, string | boolean | null> = {};
  for (const { name, value, initial } of fields) {
    const text = value.text.trim();
    if (text === initial) continue;
    if (DATE_KEYS.some((key) => key === name))
      patch[name] = text === "" ? null : dateIn(state, name, text);
    if (name === "someday") patch[name] = text === "yes" ? true : null;
  }
  return patch;
}
