import { send } from "./acts.ts";
import { chosen, setQuery } from "./board.ts";
import { editField, type Field, fieldOf, insert } from "./field.ts";
import { filterKey } from "./filter-form.ts";
import { saveForm } from "./forms.ts";
import { readAddress } from "./inbox.ts";
import { searchDaemon } from "./search.ts";
import type { FormSheet, PromptSheet, Sheet, State } from "./state.ts";
import { hint, type Step, step } from "./step.ts";
import { saveView } from "./views.ts";
import { atOf, type LinkChange, type Write } from "./writes.ts";

/** Keys and pastes while something is asked for; nothing else hears them. */
export function inSheet(state: State, sheet: Sheet, key: string): Step {
  switch (sheet.sheet) {
    case "prompt":
      return inPrompt(state, sheet, key);
    case "form":
      return sheet.kind.form === "filter"
        ? (filterKey(state, sheet, key) ?? inForm(state, sheet, key))
        : inForm(state, sheet, key);
    case "menu":
      // Help and palette know all commands, which are above this file: `update` asks them first.
      return step(state);
    case "priority":
      return inPriority(state, sheet.uids, key);
    case "confirm":
      return key === "y" ? send(closed(state), sheet.writes) : step(closed(state));
    case "type":
      return inTyped(state, sheet, key);
    case "quit":
      return key === "y" ? step(state, { effect: "quit" }) : step(closed(state));
    case "list":
      return inList(state, sheet, key);
  }
}

export function pasteInSheet(state: State, sheet: Sheet, text: string): Step {
  if (sheet.sheet === "form") {
    const field = sheet.fields[sheet.focus];
    if (field === undefined) return step(state);
    const added = field.lines > 1 ? text : text.replaceAll("\n", " ");
    return step(withField(state, sheet, insert(field.value, added)));
  }
  if ("field" in sheet) return typed(state, sheet, insert(sheet.field, text.replaceAll("\n", " ")));
  return step(state);
}

export function closed(state: State): State {
  return { ...state, sheet: undefined };
}

type WithField = Extract<Sheet, { readonly field: Field }>;

/** The filter is applied with each character. */
function typed(state: State, sheet: WithField, field: Field): Step {
  const next = { ...state, sheet: { ...sheet, field, ...("at" in sheet ? { at: 0 } : {}) } };
  if (sheet.sheet === "prompt" && sheet.kind === "filter") return step(setQuery(next, field.text));
  return step(next);
}

function inPrompt(state: State, sheet: PromptSheet, key: string): Step {
  if (key === "esc") {
    const left = closed(state);
    return step(sheet.kind === "filter" ? setQuery(left, sheet.before) : left);
  }
  // The filter is as before, for when the person comes back from what was found.
  if (key === "ctrl+f" && sheet.kind === "filter")
    return searchDaemon(setQuery(closed(state), sheet.before), sheet.field.text);
  if (key === "enter") return answer(closed(state), sheet);
  if (key === "tab") {
    const [first] = suggestions(sheet);
    return first === undefined
      ? step(state)
      : typed(state, sheet, fieldOf(completed(sheet, first)));
  }
  const field = editField(sheet.field, key, false);
  return field === undefined ? step(state) : typed(state, sheet, field);
}

/** What the text may become: choices that begin with it, then those that contain it. */
export function suggestions({ choices, field, kind }: PromptSheet): readonly string[] {
  const part = (
    kind === "filter" ? (field.text.split(" ").at(-1) ?? "") : field.text
  ).toLowerCase();
  if (part === "" && kind === "filter") return [];
  const begin = choices.filter((choice) => choice.toLowerCase().startsWith(part));
  const contain = choices.filter(
    (choice) => !begin.includes(choice) && choice.toLowerCase().includes(part),
  );
  return [...begin, ...contain].slice(0, 20);
}

function completed({ kind, field }: PromptSheet, choice: string): string {
  if (kind !== "filter") return choice.split("  ", 1)[0] ?? choice;
  return [...field.text.split(" ").slice(0, -1), choice].join(" ");
}

function answer(state: State, sheet: PromptSheet): Step {
  const text = sheet.field.text.trim();
  const issues = sheet.uids.flatMap((uid) => state.issues.get(uid) ?? []);
  const each = (write: (at: ReturnType<typeof atOf>) => Write): Step =>
    send(
      state,
      issues.map((issue) => write(atOf(issue))),
    );
  const link = (change: LinkChange): Step => each((at) => ({ act: "link", at, change }));
  if (sheet.kind === "filter") return step(state);
  if (sheet.kind === "owner")
    return each((at) => ({ act: "assign", at, owner: text === "" ? state.actor : text }));
  if (text === "") return step(state);
  const ref = text.split(" ", 1)[0] ?? text;
  switch (sheet.kind) {
    case "add-label":
      return each((at) => ({ act: "label", at, label: text }));
    case "remove-label":
      return each((at) => ({ act: "unlabel", at, label: text }));
    case "parent":
      return link({ set_parent: ref });
    case "blocker":
      return link({ add_blocked_by: [ref] });
    case "related":
      return link({ add_related: [ref] });
    case "recipient":
      return step({ ...state, sheet: messagePrompt(sheet, text) });
    case "message":
      return each((at) => ({ act: "notify", at, to: sheet.before, message: text }));
    case "address":
      return readAddress(state, text);
    case "search":
      return searchDaemon(state, text);
    case "view":
      return saveView(state, text);
    case "move":
      return move(state, sheet, text);
  }
}

function messagePrompt(sheet: PromptSheet, to: string): PromptSheet {
  const label = `message to ${to}`;
  return { ...sheet, kind: "message", label, field: fieldOf(""), before: to, choices: [] };
}

function move(state: State, sheet: PromptSheet, name: string): Step {
  const project = state.projects.find((known) => known.name === name);
  if (project === undefined) return hint(state, `no project is called ${name}`);
  const writes = sheet.uids
    .flatMap((uid) => state.issues.get(uid) ?? [])
    .map((issue): Write => ({ act: "move", at: atOf(issue), to: project }));
  return send(state, writes);
}

function inPriority(state: State, uids: readonly string[], key: string): Step {
  const left = closed(state);
  if (!/^[0-4-]$/.test(key)) return step(left);
  const priority = key === "-" ? undefined : Number(key);
  const writes = uids
    .flatMap((uid) => state.issues.get(uid) ?? [])
    .map((issue): Write => ({ act: "priority", at: atOf(issue), priority }));
  return send(left, writes);
}

function inTyped(state: State, sheet: Extract<Sheet, { sheet: "type" }>, key: string): Step {
  if (key === "esc") return step(closed(state));
  if (key === "enter") {
    if (sheet.field.text.trim() !== sheet.expected)
      return hint(state, `type ${sheet.expected} to go on, or esc`);
    return send(closed(state), sheet.writes);
  }
  const field = editField(sheet.field, key, false);
  return field === undefined ? step(state) : typed(state, sheet, field);
}

function inList(state: State, sheet: Extract<Sheet, { sheet: "list" }>, key: string): Step {
  const count = sheet.kind === "writes" ? state.done.length : state.notices.length;
  const to = (at: number): Step =>
    step({ ...state, sheet: { ...sheet, at: Math.max(0, Math.min(at, count - 1)) } });
  if (key === "j" || key === "down") return to(sheet.at + 1);
  if (key === "k" || key === "up") return to(sheet.at - 1);
  return step(closed(state));
}

function inForm(state: State, sheet: FormSheet, key: string): Step {
  if (sheet.saving) return step(state);
  const calm = sheet.leaving ? { ...sheet, leaving: false } : sheet;
  const focus = (by: number): Step => {
    const count = sheet.fields.length;
    return step({ ...state, sheet: { ...calm, focus: (sheet.focus + by + count) % count } });
  };
  const field = sheet.fields[sheet.focus];
  if (key === "esc") return leaveForm(state, sheet);
  if (key === "ctrl+s" || key === "ctrl+o") return saveForm(state, calm);
  if (key === "tab") return focus(1);
  if (key === "shift+tab") return focus(-1);
  if (field === undefined) return step(state);
  if (key === "ctrl+r") return step(withField(state, calm, fieldOf(field.initial)));
  if (key === "ctrl+e") return step(state, { effect: "edit-text", text: field.value.text });
  if (field.choices !== undefined) {
    const by = key === "right" || key === "space" || key === "down" ? 1 : -1;
    if (["left", "right", "space", "up", "down"].includes(key))
      return step(withField(state, calm, fieldOf(neighbour(field.choices, field.value.text, by))));
    return key === "enter" ? focus(1) : step(state);
  }
  if (key === "enter" && field.lines === 1) return focus(1);
  const value = editField(field.value, key, field.lines > 1);
  return value === undefined ? step(state) : step(withField(state, calm, value));
}

function neighbour(choices: readonly string[], value: string, by: number): string {
  const at = choices.indexOf(value);
  return choices[(at + by + choices.length) % choices.length] ?? value;
}

export function withField(state: State, sheet: FormSheet, value: Field): State {
  const fields = sheet.fields.map((field, at) =>
    at === sheet.focus ? { ...field, value } : field,
  );
  return { ...state, sheet: { ...sheet, fields, error: undefined } };
}

/** A draft is not lost by one key. */
function leaveForm(state: State, sheet: FormSheet): Step {
  const changed = sheet.fields.some((field) => field.value.text !== field.initial);
  if (changed && !sheet.leaving) return step({ ...state, sheet: { ...sheet, leaving: true } });
  return step(closed(state));
}

export function confirmDelete(state: State): Step {
  const issues = chosen(state);
  const writes = issues.map((issue): Write => ({ act: "delete", at: atOf(issue) }));
  return step({ ...state, sheet: confirmed(writes, `delete ${named(issues)}?`) });
}

const MANY = 20;

/** Few are sent at once, and many only when their number was typed. */
export function sendOrAsk(state: State, writes: readonly Write[], text: string): Step {
  if (writes.length <= MANY) return send(state, writes);
  return step({ ...state, sheet: confirmed(writes, text) });
}

/** Many at once are confirmed by their number, one or few by a key. */
function confirmed(writes: readonly Write[], text: string): Sheet {
  if (writes.length <= MANY) return { sheet: "confirm", text, writes };
  return { sheet: "type", text, expected: String(writes.length), field: fieldOf(""), writes };
}

export function named(
  issues: readonly { readonly qualified_id: string; readonly title: string }[],
): string {
  const [first] = issues;
  if (first === undefined) return "nothing";
  return issues.length === 1 ? `${first.qualified_id} "${first.title}"` : `${issues.length} issues`;
}
