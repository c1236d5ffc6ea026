import { graphemes } from "../../src/base/graphemes.ts";
import { hearingOf } from "../../src/screen/connection/connection-status.ts";
import { closeHelp, inTheWay } from "../../src/screen/forms/close-form.ts";
import type { FormField, FormSheet, PromptKind, Sheet } from "../../src/screen/forms/dialog.ts";
import type { Field } from "../../src/screen/forms/field.ts";
import type { State } from "../../src/screen/state.ts";
import { drawSheet } from "../screens/sheets.ts";
import { CURSOR_START, painter } from "../style.ts";
import { clean } from "../text.ts";
import type { TerminalMessage } from "../update.ts";
import { type SpokenScreen, sentence, spokenScreen } from "./spoken-screen.ts";
import type { Typed } from "./typed.ts";

/** The lines to say when one state becomes the other. */
export function speech(
  before: State,
  after: State,
  cause: TerminalMessage["type"],
): readonly string[] {
  return [
    ...noticeLines(before, after),
    ...sheetLines(before, after),
    ...screenLines(before, after, cause),
  ];
}

function noticeLines(before: State, after: State): readonly string[] {
  const { notice } = after.messages;
  const connection = hearingOf(before) === hearingOf(after) ? [] : [hearingOf(after)];
  if (notice === undefined || notice === before.messages.notice) return connection;
  return [...connection, clean(`${notice.tone === "error" ? "error: " : ""}${notice.text}`)];
}

/** The screen or the row of the cursor, unless a sheet is open. */
function screenLines(
  before: State,
  after: State,
  cause: TerminalMessage["type"],
): readonly string[] {
  if (after.sheet !== undefined) return [];
  const [was, is] = [spokenScreen(before), spokenScreen(after)];
  const row = is.row === undefined ? [] : [is.row];
  if (was.name !== is.name) return [is.heading, ...is.text, ...row];
  const lines = newLines(was, is);
  const { sheet } = before;
  // The filter was applied while it was typed: say what is left.
  if (sheet?.sheet === "prompt" && NARROWS.includes(sheet.kind))
    return [is.heading, ...is.text, ...row];
  // Changes by others are announced as a number and read on request.
  if (sheet !== undefined || CAUSED_BY_PERSON.includes(cause)) {
    const isSame = sheet === undefined && was.row === is.row;
    return [...lines, ...marksText(before, after), ...(isSame ? [] : row)];
  }
  if (cause === "detail" || cause === "versions") return lines;
  const isLoaded = was.row === undefined && is.row !== undefined;
  const isOther = was.heading !== is.heading || lines.length > 0;
  return isLoaded || (isOther && after.screen !== "board") ? [is.heading, ...lines, ...row] : [];
}

/** Prompts that narrow the list while one types. */
const NARROWS: readonly PromptKind[] = ["filter", "holders"];

/** Messages that a person caused. */
const CAUSED_BY_PERSON: readonly TerminalMessage["type"][] = [
  "key",
  "paste",
  "burst",
  "mouse",
  "written",
  "refused",
];

function marksText(
  { board: { marks: was } }: State,
  { board: { marks } }: State,
): readonly string[] {
  return was.size === marks.size ? [] : [`${marks.size} marked`];
}

function newLines(was: SpokenScreen, is: SpokenScreen): readonly string[] {
  const known = new Set(was.text);
  return is.text.filter((line) => !known.has(line));
}

function sheetLines(before: State, after: State): readonly string[] {
  const { sheet: was } = before;
  const { sheet: is } = after;
  if (is === undefined) return [];
  if (is === was) return is.sheet === "conflict" ? sidesChanged(before, after, is) : [];
  if (was === undefined || was.sheet !== is.sheet) return opened(after, is);
  if (is.sheet === "form" && was.sheet === "form")
    return is.id === was.id ? formChanges(after, was, is) : opened(after, is);
  if (is.sheet === "prompt" && was.sheet === "prompt" && is.label === was.label)
    return is.choose === was.choose ? [] : [sentence(chosenLine(after, is))];
  if (is.sheet === "menu" && was.sheet === "menu") {
    if (is.field.text === was.field.text) return [sentence(chosenLine(after, is))];
    return opened(after, is);
  }
  if (is.sheet === "type" && was.sheet === "type") return [];
  if (is.sheet === "list" || is.sheet === "drafts") return [sentence(chosenLine(after, is))];
  return opened(after, is);
}

/** The other version may be read after the refusal, which changes the sides. */
function sidesChanged(before: State, after: State, sheet: Sheet): readonly string[] {
  const lines = opened(after, sheet);
  return lines.join() === opened(before, sheet).join() ? [] : lines;
}

/** Wide enough that nothing is cut. */
const WIDTH = 160;
/** Lines of a menu to say at once. */
const HEIGHT = 20;
/** Title, field and keys of a menu. */
const MENU_FRAME = 3;
const PLAIN = painter("none");

function drawn(state: State, sheet: Sheet): readonly string[] {
  return drawSheet(state, sheet, PLAIN, WIDTH, HEIGHT);
}

function chosenLine(state: State, sheet: Sheet): string {
  const rows = drawn(state, sheet).slice(sheet.sheet === "menu" ? 2 : 0);
  return rows.find((line) => line.startsWith(`${CURSOR_START}${PLAIN.glyphs.cursor}`)) ?? "";
}

function opened(state: State, sheet: Sheet): readonly string[] {
  const lines = drawn(state, sheet).map(sentence).map(withoutRule);
  switch (sheet.sheet) {
    case "form":
      return [
        sheet.title,
        ...sheet.fields.map(fieldText),
        ...inTheWay(state, sheet).map(sentence),
        ...helpLines(state, sheet),
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
      // The line that is typed is written below.
      return lines.filter((line) => !line.startsWith(`${askedBy(sheet)}: `) && line !== "");
    default:
      return lines.filter((line) => line !== "");
  }
}

/** Removes the rule around a title. */
function withoutRule(line: string): string {
  return line.replace(/^-- (.*?) -*$/, "$1");
}

function formChanges(state: State, was: FormSheet, is: FormSheet): readonly string[] {
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

/** The help of the field in focus. */
function helpLines(state: State, sheet: FormSheet): readonly string[] {
  return sheet.kind.form === "close" ? [closeHelp(state, sheet)] : [];
}

function fieldText({ label, value, choices, hint, locked }: FormField): string {
  const empty = hint === undefined ? "empty" : `empty, ${hint}`;
  const text = value.text === "" ? empty : clean(value.text.replaceAll("\n", " / "));
  if (choices !== undefined) return `${label}: ${text}, of ${choices.join(" ")}`;
  return `${label}: ${text}${locked === true ? ", backspace changes it" : ""}`;
}

/** The line that is being typed, with its label; nothing if no text is typed. */
export function inputLine({ sheet }: State): Typed | undefined {
  if (sheet === undefined) return undefined;
  if (sheet.sheet === "form") {
    const field = sheet.fields[sheet.focus];
    if (field === undefined || field.choices !== undefined) return undefined;
    return typedIn(field.label, field.value);
  }
  if (!("field" in sheet)) return undefined;
  return typedIn(askedBy(sheet), sheet.field);
}

function askedBy(sheet: Extract<Sheet, { readonly field: Field }>): string {
  if (sheet.sheet === "prompt") return sheet.label;
  return sheet.sheet === "type" ? `type ${sheet.expected} to go on` : "find";
}

/** Of a text with several lines, the line of the cursor. */
function typedIn(label: string, { text, at }: Field): Typed {
  const all = graphemes(text);
  const start = all.slice(0, at).lastIndexOf("\n") + 1;
  const end = all.indexOf("\n", at);
  const before = clean(`${label}: ${all.slice(start, at).join("")}`);
  return { before, after: clean(all.slice(at, end === -1 ? all.length : end).join("")) };
}

/** Translates a number and Enter into the keys that choose this line of a menu. */
export function keysMeant(state: State, key: string): readonly string[] {
  const { sheet } = state;
  if (key !== "enter" || sheet?.sheet !== "menu") return [key];
  const digits = /\d+$/.exec(sheet.field.text)?.[0];
  const number = Number(digits);
  if (digits === undefined || number < 1 || number > HEIGHT) return [key];
  const isAll = digits === sheet.field.text;
  // A search text that ends in digits and finds something is not a number.
  if (!isAll && drawn(state, sheet).length > MENU_FRAME) return [key];
  const back = Array.from(digits, () => "backspace");
  return [...back, ...Array.from({ length: number - 1 }, () => "down"), "enter"];
}
