import { graphemes } from "../../src/base/graphemes.ts";
import { connectionStatus } from "../../src/screen/connection/connection-status.ts";
import { promptOf } from "../../src/screen/dialogs/prompt-of.ts";
import type { Field } from "../../src/screen/field.ts";
import { closeHelp, closeObstacles } from "../../src/screen/forms/close-form.ts";
import type { Dialog, FormDialog, FormField } from "../../src/screen/forms/dialog.ts";
import type { State } from "../../src/screen/state.ts";
import { drawDialog } from "../screens/dialogs.ts";
import { CURSOR_START, painter } from "../style.ts";
import { clean } from "../text.ts";
import type { TerminalMessage } from "../update.ts";
import { type SpokenScreen, sentence, spokenScreen } from "./spoken-screen.ts";
import type { TypedLine } from "./typed.ts";

export function speech(
  before: State,
  after: State,
  cause: TerminalMessage["type"],
): readonly string[] {
  return [
    ...noticeLines(before, after),
    ...dialogLines(before, after),
    ...screenLines(before, after, cause),
  ];
}

function noticeLines(before: State, after: State): readonly string[] {
  const { notice } = after.messages;
  const connection =
    connectionStatus(before) === connectionStatus(after) ? [] : [connectionStatus(after)];
  if (notice === undefined || notice === before.messages.notice) return connection;
  return [...connection, clean(`${notice.tone === "error" ? "error: " : ""}${notice.text}`)];
}

/** Returns what is said about the screen or the row under the cursor. Nothing is said while a dialog is open. */
function screenLines(
  before: State,
  after: State,
  cause: TerminalMessage["type"],
): readonly string[] {
  if (after.dialog !== undefined) return [];
  const [was, is] = [spokenScreen(before), spokenScreen(after)];
  const row = is.row === undefined ? [] : [is.row];
  if (was.name !== is.name) return [is.heading, ...is.text, ...row];
  const lines = newLines(was, is);
  const { dialog } = before;
  // The filter was applied while it was typed, so announce what the list now contains.
  if (dialog?.dialog === "prompt" && promptOf(after, dialog).onChange !== undefined)
    return [is.heading, ...is.text, ...row];
  // Announce changes that the person made. Changes by others are announced as a number only, by `openReader`
  // (reader.ts).
  if (dialog !== undefined || CAUSED_BY_PERSON.includes(cause)) {
    const isSame = dialog === undefined && was.row === is.row;
    const { size } = after.marks;
    const marked = size === before.marks.size ? [] : [`${size} marked`];
    return [...lines, ...marked, ...(isSame ? [] : row)];
  }
  if (cause === "detail" || cause === "versions") return lines;
  const isLoaded = was.row === undefined && is.row !== undefined;
  const isOther = was.heading !== is.heading || lines.length > 0;
  return isLoaded || (isOther && after.screen !== "board") ? [is.heading, ...lines, ...row] : [];
}

const CAUSED_BY_PERSON: readonly TerminalMessage["type"][] = [
  "key",
  "paste",
  "burst",
  "mouse",
  "written",
  "refused",
];

function newLines(was: SpokenScreen, is: SpokenScreen): readonly string[] {
  const known = new Set(was.text);
  return is.text.filter((line) => !known.has(line));
}

function dialogLines(before: State, after: State): readonly string[] {
  const { dialog: was } = before;
  const { dialog: is } = after;
  if (is === undefined) return [];
  if (is === was) return is.dialog === "conflict" ? sidesChanged(before, after, is) : [];
  if (was === undefined || was.dialog !== is.dialog) return opened(after, is);
  if (is.dialog === "form" && was.dialog === "form")
    return is.id === was.id ? formChanges(after, was, is) : opened(after, is);
  if (is.dialog === "prompt" && was.dialog === "prompt" && is.label === was.label)
    return is.choose === was.choose && is.choices === was.choices
      ? []
      : [sentence(chosenLine(after, is))];
  if (is.dialog === "menu" && was.dialog === "menu") {
    if (is.field.text === was.field.text) return [sentence(chosenLine(after, is))];
    return opened(after, is);
  }
  if (is.dialog === "type" && was.dialog === "type") return [];
  if (is.dialog === "list" || is.dialog === "drafts") return [sentence(chosenLine(after, is))];
  return opened(after, is);
}

/**
 * Returns the lines of a conflict dialog if they changed, and otherwise none. They change if the other person's version
 * arrives after the dialog opened.
 */
function sidesChanged(before: State, after: State, dialog: Dialog): readonly string[] {
  const lines = opened(after, dialog);
  return lines.join() === opened(before, dialog).join() ? [] : lines;
}

const WIDTH = 160;
const HEIGHT = 20;
const MENU_FRAME = 3;
const PLAIN = painter("none");

function drawn(state: State, dialog: Dialog): readonly string[] {
  return drawDialog(state, dialog, PLAIN, WIDTH, HEIGHT);
}

function chosenLine(state: State, dialog: Dialog): string {
  const rows = drawn(state, dialog).slice(dialog.dialog === "menu" ? 2 : 0);
  return rows.find((line) => line.startsWith(`${CURSOR_START}${PLAIN.glyphs.cursor}`)) ?? "";
}

function opened(state: State, dialog: Dialog): readonly string[] {
  const lines = drawn(state, dialog).map(sentence).map(withoutRule);
  switch (dialog.dialog) {
    case "form":
      return [
        dialog.title,
        ...dialog.fields.map(fieldText),
        ...closeObstacles(state, dialog).map(sentence),
        ...helpLines(state, dialog),
        lines.at(-1) ?? "",
      ];
    case "menu":
      return [
        ...lines.slice(0, 1),
        ...lines.slice(2, -1).map((line, at) => `${at + 1}. ${line}`),
        `${lines.at(-1)}, or a number and enter`,
      ];
    case "prompt":
    case "type":
      // Leave out the line that is being typed, because it is written below these lines.
      return lines.filter((line) => !line.startsWith(`${askedBy(dialog)}: `) && line !== "");
    default:
      return lines.filter((line) => line !== "");
  }
}

function withoutRule(line: string): string {
  return line.replace(/^-- (.*?) -*$/, "$1");
}

function formChanges(state: State, was: FormDialog, is: FormDialog): readonly string[] {
  const field = is.fields[is.focus];
  const before = was.fields[is.focus];
  const isOther =
    was.focus !== is.focus ||
    (field?.choices !== undefined && field.value.text !== before?.value.text);
  return [
    ...(is.error !== undefined && is.error !== was.error ? [`error: ${clean(is.error)}`] : []),
    ...(is.notes === was.notes ? [] : is.notes.map(clean)),
    ...(is.saving && !was.saving ? ["saving"] : []),
    ...(is.leaving && !was.leaving ? ["esc again to discard what you typed"] : []),
    ...(isOther && field !== undefined ? [fieldText(field), ...helpLines(state, is)] : []),
  ];
}

function helpLines(state: State, dialog: FormDialog): readonly string[] {
  if (dialog.about !== undefined) return [clean(dialog.about)];
  return dialog.kind.form === "close" ? [closeHelp(state, dialog)] : [];
}

function fieldText({ label, value, choices, hint, locked }: FormField): string {
  const empty = hint === undefined ? "empty" : `empty, ${hint}`;
  const text = value.text === "" ? empty : clean(value.text.replaceAll("\n", " / "));
  if (choices !== undefined) return `${label}: ${text}, of ${choices.join(" ")}`;
  return `${label}: ${text}${locked === true ? ", backspace changes it" : ""}`;
}

/** Returns the line that is being typed, with its label. Returns `undefined` if no text field has the focus. */
export function inputLine({ dialog }: State): TypedLine | undefined {
  if (dialog === undefined) return undefined;
  if (dialog.dialog === "form") {
    const field = dialog.fields[dialog.focus];
    if (field === undefined || field.choices !== undefined) return undefined;
    return typedIn(field.label, field.value);
  }
  if (!("field" in dialog)) return undefined;
  return typedIn(askedBy(dialog), dialog.field);
}

function askedBy(dialog: Extract<Dialog, { readonly field: Field }>): string {
  if (dialog.dialog === "prompt") return dialog.label;
  return dialog.dialog === "type" ? `type ${dialog.expected} to go on` : "find";
}

/** Returns the line of a field that contains the cursor, with the label before it, split at the cursor. */
function typedIn(label: string, { text, at }: Field): TypedLine {
  const all = graphemes(text);
  const start = all.slice(0, at).lastIndexOf("\n") + 1;
  const end = all.indexOf("\n", at);
  const before = clean(`${label}: ${all.slice(start, at).join("")}`);
  return { before, after: clean(all.slice(at, end === -1 ? all.length : end).join("")) };
}

/**
 * Translates a number and Enter in a menu into the keys that select the line with this number. Returns other keys
 * unchanged.
 */
export function keysMeant(state: State, key: string): readonly string[] {
  const { dialog } = state;
  if (key !== "enter" || dialog?.dialog !== "menu") return [key];
  const digits = /\d+$/.exec(dialog.field.text)?.[0];
  const number = Number(digits);
  if (digits === undefined || number < 1 || number > HEIGHT) return [key];
  const isAll = digits === dialog.field.text;
  // If the whole search text finds something, the digits at its end are part of the search.
  if (!isAll && drawn(state, dialog).length > MENU_FRAME) return [key];
  const back = Array.from(digits, () => "backspace");
  return [...back, ...Array.from({ length: number - 1 }, () => "down"), "enter"];
}
