import { send } from "./acts.ts";
import { fieldOf } from "./field.ts";
import type { Issue } from "./issues.ts";
import type { FormField, FormSheet, State } from "./state.ts";
import { type Step, step } from "./step.ts";
import { atOf, type Write } from "./writes.ts";

export function fieldRow(
  name: string,
  label: string,
  initial: string,
  more: { readonly lines?: number; readonly choices?: readonly string[] } = {},
): FormField {
  const { lines = 1, choices } = more;
  const field = { name, label, value: fieldOf(initial), initial, lines };
  return choices === undefined ? field : { ...field, choices };
}

function formOf(kind: FormSheet["kind"], title: string, fields: readonly FormField[]): FormSheet {
  return {
    sheet: "form",
    kind,
    title,
    fields,
    focus: 0,
    saving: false,
    error: undefined,
    leaving: false,
  };
}

export const CLOSE_REASONS = [
  "done",
  "wontfix",
  "duplicate",
  "superseded",
  "audit-no-change",
] as const;
export const EVIDENCE = [
  "none",
  "commit",
  "pr",
  "test",
  "reviewed-paths",
  "external",
  "no-change-audit",
  "duplicate-of",
  "superseded-by",
] as const;

/** `key` makes creating twice by accident impossible: the daemon answers the second with the first. */
export function newForm(state: State, parent: Issue | undefined, key: string): FormSheet {
  const project_id = parent?.project_id ?? state.scope.project?.id ?? targetProject(state);
  const title = parent === undefined ? "new issue" : `new child of ${parent.qualified_id}`;
  return formOf({ form: "new", project_id, parent: parent?.short_id, key, force: false }, title, [
    fieldRow("title", "Title", ""),
    fieldRow("body", "Body", "", { lines: 6 }),
    fieldRow("labels", "Labels", ""),
    fieldRow("owner", "Owner", ""),
    fieldRow("priority", "Priority", "-", { choices: ["-", "0", "1", "2", "3", "4"] }),
  ]);
}

/** Where all projects are shown, a new issue goes where the cursor is. */
function targetProject(state: State): number {
  const { cursor } = state.board;
  const issue = cursor === undefined ? undefined : state.issues.get(cursor);
  return issue?.project_id ?? state.projects[0]?.id ?? 0;
}

export function editForm({ uid, revision, qualified_id, title, body }: Issue): FormSheet {
  return formOf({ form: "edit", uid, revision }, `edit ${qualified_id}`, [
    fieldRow("title", "Title", title),
    fieldRow("body", "Body", body, { lines: 10 }),
  ]);
}

export function commentForm({ uid, qualified_id }: Issue, key: string): FormSheet {
  return formOf({ form: "comment", uid, key }, `comment on ${qualified_id}`, [
    fieldRow("body", "Comment", "", { lines: 8 }),
  ]);
}

export function datesForm({ uid, qualified_id, metadata }: Issue): FormSheet {
  const text = (key: string): string => {
    const value = metadata[key];
    return typeof value === "string" ? value : "";
  };
  return formOf({ form: "dates", uid }, `dates of ${qualified_id}`, [
    fieldRow("scheduled_on", "Scheduled", text("scheduled_on")),
    fieldRow("deadline_on", "Deadline", text("deadline_on")),
    fieldRow("timezone", "Time zone", text("timezone")),
    fieldRow("someday", "Someday", metadata["someday"] === true ? "yes" : "no", {
      choices: ["no", "yes"],
    }),
  ]);
}

export function closeForm(issues: readonly Issue[], key: string): FormSheet {
  const [first] = issues;
  const title =
    issues.length === 1 ? `close ${first?.qualified_id}` : `close ${issues.length} issues`;
  return formOf({ form: "close", uids: issues.map(({ uid }) => uid), key }, title, [
    fieldRow("reason", "Reason", "done", { choices: CLOSE_REASONS }),
    fieldRow("message", "Message", "", { lines: 3 }),
    fieldRow("evidence", "Evidence", "none", { choices: EVIDENCE }),
    fieldRow("value", "Value", ""),
  ]);
}

/** Sends what the form holds. It stays open until the daemon has taken it, so that nothing typed is lost. */
export function saveForm(state: State, sheet: FormSheet): Step {
  const value = (name: string): string =>
    sheet.fields.find((field) => field.name === name)?.value.text.trim() ?? "";
  const problem = problemOf(sheet, value);
  if (problem !== undefined) return step({ ...state, sheet: { ...sheet, error: problem } });
  const writes = writesOf(state, sheet, value);
  if (writes.length === 0) return step({ ...state, sheet: undefined });
  return send({ ...state, sheet: { ...sheet, saving: true, error: undefined } }, writes);
}

function problemOf({ kind }: FormSheet, value: (name: string) => string): string | undefined {
  if ((kind.form === "new" || kind.form === "edit") && value("title") === "")
    return "the title is empty";
  if (kind.form === "comment" && value("body") === "") return "the comment is empty";
  if (kind.form === "close" && value("evidence") !== "none" && value("value") === "")
    return "this evidence needs a value";
  return undefined;
}

function writesOf(
  state: State,
  { kind, fields }: FormSheet,
  value: (name: string) => string,
): readonly Write[] {
  const about = (uid: string): readonly Issue[] => {
    const issue = state.issues.get(uid);
    return issue === undefined ? [] : [issue];
  };
  const changed = (name: string): string | undefined => {
    const field = fields.find((one) => one.name === name);
    return field === undefined || field.value.text === field.initial ? undefined : value(name);
  };
  switch (kind.form) {
    case "new": {
      const { project_id, parent, key, force: force_new } = kind;
      const priority = value("priority") === "-" ? undefined : Number(value("priority"));
      const labels = value("labels")
        .split(/[\s,]+/)
        .filter(Boolean);
      const [title, body] = [value("title"), value("body")];
      const owner = value("owner") === "" ? undefined : value("owner");
      const act = "create";
      return [{ act, project_id, title, body, owner, priority, labels, parent, key, force_new }];
    }
    case "edit": {
      const [title, body] = [changed("title"), changed("body")];
      if (title === undefined && body === undefined) return [];
      const { revision } = kind;
      return about(kind.uid).map((issue) => ({
        act: "edit",
        at: atOf(issue),
        title,
        body,
        revision,
      }));
    }
    case "comment":
      return about(kind.uid).map((issue) => {
        return { act: "comment", at: atOf(issue), body: value("body"), key: kind.key };
      });
    case "dates": {
      const patch: Record<string, string | boolean | null> = {};
      for (const name of ["scheduled_on", "deadline_on", "timezone"]) {
        const text = changed(name);
        if (text !== undefined) patch[name] = text === "" ? null : text;
      }
      const someday = changed("someday");
      if (someday !== undefined) patch["someday"] = someday === "yes" ? true : null;
      if (Object.keys(patch).length === 0) return [];
      return about(kind.uid).map((issue) => ({ act: "metadata", at: atOf(issue), patch }));
    }
    case "filter":
      return [];
    case "close": {
      const type = value("evidence");
      const evidence = type === "none" ? undefined : { type, value: value("value") };
      const message = value("message") === "" ? undefined : value("message");
      return kind.uids.flatMap(about).map((issue) => {
        return { act: "close", at: atOf(issue), reason: value("reason"), message, evidence };
      });
    }
  }
}

/** One for each form that is opened, so that saving twice makes one thing. */
export function keyOf({ session }: State, serial: number): string {
  return `tui-${session}-${serial}`;
}
