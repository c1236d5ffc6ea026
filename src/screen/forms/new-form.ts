import { boardIssue } from "../chosen.ts";
import type { FormProject, FormRecord } from "../form.ts";
import type { Issue } from "../issues/issues.ts";
import type { State } from "../state.ts";
import { step } from "../step.ts";
import type { Creation, Patch } from "../writes/writes.ts";
import type { FormDialog, FormDialogOf } from "./dialog.ts";
import { fieldRow, formOf, isEmpty, keyOf, textOf, valueIn } from "./forms.ts";
import { ownerInDoubt } from "./person.ts";

export interface NewKind {
  /** The project of the new issue, unless the form names another. */
  readonly project: FormProject;
  readonly key: string;
  /** Whether to create the issue although similar issues exist. The person has then seen the similar issues. */
  readonly force: boolean;
  /** Planning dates. The form has no fields for them. */
  readonly metadata?: Patch;
}

/**
 * The form for a new issue. If the request is sent twice, the daemon recognizes the second request by its `key` and
 * answers with the issue that the first request created.
 */
export function newForm(state: State, parent: Issue | undefined, id: number): FormDialog {
  const project = targetProject(state, parent);
  const title = parent === undefined ? "new issue" : `new child of ${parent.qualified_id}`;
  const kind = { form: "new", project, key: keyOf(state, id), force: false } as const;
  return formOf(id, kind, title, [
    fieldRow("title", "Title", ""),
    fieldRow("body", "Body", "", { lines: 6 }),
    fieldRow("labels", "Labels", "", { complete: "label" }),
    fieldRow("owner", "Owner", "", { complete: "owner" }),
    fieldRow("priority", "Priority", "-", { choices: ["-", "0", "1", "2", "3", "4"] }),
    fieldRow("parent", "Parent", parent?.qualified_id ?? "", {
      complete: "ref",
      locked: parent !== undefined,
    }),
    fieldRow("project", "Project", project.name, {
      complete: "project",
      locked: state.scope.project !== undefined,
    }),
  ]);
}

/**
 * The project of a new issue. It is the first of these that exists:
 *
 * - the project of its parent
 * - the project that is shown
 * - the project of the issue under the cursor of the board
 * - the first project
 */
function targetProject(state: State, parent: Issue | undefined): FormProject {
  const { project, projects } = state.scope;
  const near = parent ?? state.issues.get(boardIssue(state) ?? "");
  if (parent === undefined && project !== undefined) return project;
  if (near !== undefined) return { id: near.project_id, name: near.project_name };
  const [first] = projects;
  return { id: first?.id ?? 0, name: first?.name ?? "" };
}

export const NEW_FORM: FormRecord<"new"> = {
  problem: (state, dialog) => {
    if (isEmpty(dialog, "title")) return { field: "title", text: "the title is empty" };
    if (isEmpty(dialog, "project"))
      return { field: "project", text: "the project is empty: an issue needs one" };
    if (projectIn(state, dialog) === undefined)
      return { field: "project", text: `no project is called ${valueIn(dialog, "project")}` };
    return ownerInDoubt(state, dialog);
  },
  writes: (state, dialog) => {
    const project = projectIn(state, dialog);
    return project === undefined ? [] : [{ act: "create", ...creationOf(dialog, project) }];
  },
  project: (state, dialog) => projectIn(state, dialog) ?? dialog.kind.project,
  onChange: withoutNotes,
  // After a refusal because of similar issues, saving again creates the issue anyway.
  onRefusal: (state, dialog, { code, candidates = [] }) => {
    if (code !== "duplicate_candidates") return undefined;
    const notes = [...candidates, "send it again to create it anyway"];
    return step({ ...state, dialog: { ...dialog, kind: { ...dialog.kind, force: true }, notes } });
  },
};

function projectIn(
  { scope: { projects } }: Pick<State, "scope">,
  dialog: FormDialogOf<"new">,
): FormProject | undefined {
  const name = valueIn(dialog, "project");
  return [dialog.kind.project, ...projects].find((known) => known.name === name);
}

/**
 * The issue to create. If the person has changed the project in the form, this is another request, so it gets another
 * idempotency key.
 */
function creationOf(dialog: FormDialogOf<"new">, project: FormProject): Creation {
  const { project: first, key, force: force_new, metadata } = dialog.kind;
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

const COMPARED: ReadonlySet<string | undefined> = new Set(["title", "body", "project"]);

/**
 * Returns the form after a change of the field in focus. If the person had been told about similar issues and now
 * changes the title, the text or the project, the daemon is asked to look for similar issues again.
 */
function withoutNotes(dialog: FormDialogOf<"new">): FormDialog {
  const { kind, fields, focus } = dialog;
  if (!kind.force || !COMPARED.has(fields[focus]?.name)) return dialog;
  return { ...dialog, kind: { ...kind, force: false }, notes: [] };
}
