import { daysText, HOW_SERIES_GO } from "../../src/screen/cron/series-days.ts";
import { closeHelp, closeObstacles } from "../../src/screen/forms/close-form.ts";
import { fieldSuggestions, takesSuggestion } from "../../src/screen/forms/completion.ts";
import type { FormDialog, FormField } from "../../src/screen/forms/dialog.ts";
import { isForWord, wordChoices } from "../../src/screen/forms/text-completion.ts";
import type { State } from "../../src/screen/state.ts";
import { labelWidth } from "../area.ts";
import { CURSOR_END, type Paint } from "../style.ts";
import { clean, fit, wrap } from "../text.ts";
import { type DrawDialog, keysLine, textArea, title, withCursor } from "./input.ts";
import { plainRow } from "./rows.ts";

const MAX_SUGGESTIONS = 4;
const MAX_NOTES = 6;

interface FormLine {
  readonly at: number;
  readonly text: string;
}

export const drawForm: DrawDialog<"form"> = (state, dialog, paint, width, height) => {
  const label = labelWidth(dialog);
  const lines = dialog.fields.flatMap((field, at) => {
    const rows = fieldLines(state, dialog, field, paint, width - label);
    const isTyped = field.choices === undefined && field.locked !== true;
    // Where no text can be typed, the cursor is on the label.
    const role = at === dialog.focus ? (isTyped ? "bold" : "cursor") : "dim";
    return rows.map((text, row): FormLine => {
      return { at, text: paint(role, fit(row === 0 ? `${field.label}:` : "", label)) + text };
    });
  });
  const error = dialog.error === undefined ? [] : wrap(dialog.error, width).slice(0, 3);
  const way = closeObstacles(state, dialog).filter((text) => text !== dialog.error);
  const notes = [
    ...dialog.notes.slice(-MAX_NOTES),
    // Indented lines name issues and are cut. Other lines are wrapped.
    ...way.flatMap((text) => (text.startsWith(" ") ? text : wrap(text, width - 2))),
  ].slice(0, MAX_NOTES);
  // In a low window, errors and notes matter more than the help, which keeps at least one line.
  const help = helpOf(state, dialog)
    .flatMap((text) => wrap(text, width - 1))
    .slice(0, Math.max(1, height - 4 - error.length - notes.length));
  const below = [
    ...[
      ...error.map((text) => plainRow(paint, width, text, "error")),
      ...notes.map((text) => plainRow(paint, width, `  ${text}`, "warn")),
    ].slice(0, Math.max(0, height - 4 - help.length)),
    ...help.map((text) => plainRow(paint, width, ` ${text}`, "dim")),
  ];
  const room = Math.max(1, height - 2 - below.length);
  const last = lines.findLastIndex(({ at }) => at === dialog.focus);
  // Scroll a long text so that the line with the cursor is visible.
  const typed = lines.findIndex(({ at, text }) => at === dialog.focus && text.includes(CURSOR_END));
  const seen = typed === -1 ? last : typed;
  const top = Math.max(0, Math.min(last - room + 1, lines.length - room, seen));
  const more = lines.slice(top + room).some(({ at }) => at > dialog.focus);
  return [
    title(paint, width, more ? `${dialog.title} (tab: more below)` : dialog.title),
    ...lines.slice(top, top + room).map(({ text }) => text),
    ...below,
    keysLine(paint, width, footOf(state, dialog)),
  ];
};

function helpOf(state: State, dialog: FormDialog): readonly string[] {
  if (dialog.kind.form === "close") return [closeHelp(state, dialog)];
  if (dialog.about !== undefined) return [clean(dialog.about)];
  const days = daysText(dialog);
  return days === undefined ? [] : [days, HOW_SERIES_GO];
}

function footOf(state: State, dialog: FormDialog): string {
  if (dialog.saving) return "saving...   esc leave: the result will be shown";
  if (dialog.leaving) return "esc again to discard what you typed";
  if (dialog.kind.form === "filter")
    return takesSuggestion(state, dialog, "enter")
      ? "enter take   ctrl+s apply   up/down choose   esc cancel"
      : "enter apply   tab next field   ctrl+u clear   ctrl+r reset   esc cancel";
  const field = dialog.fields[dialog.focus];
  if (field?.locked === true) return "backspace take it away   tab next field   esc cancel";
  if (wordChoices(dialog).length > 0) {
    const take = isForWord(dialog, "enter") ? "enter" : "tab";
    return isForWord(dialog, "tab")
      ? `${take} take   up/down choose   esc close the list   ctrl+s save`
      : "down choose   esc close the list   ctrl+s save";
  }
  if (field?.complete !== undefined) {
    if (takesSuggestion(state, dialog, "tab"))
      return "ctrl+s save   up/down choose   tab take   esc cancel";
    return takesSuggestion(state, dialog, "enter")
      ? "ctrl+s save   enter take   tab as typed   esc cancel"
      : "ctrl+s save   up/down choose   tab next field   esc cancel";
  }
  return "ctrl+s save   tab next field   ctrl+e editor   esc cancel";
}

function fieldLines(
  state: State,
  dialog: FormDialog,
  field: FormField,
  paint: Paint,
  wide: number,
): readonly string[] {
  const width = Math.max(4, wide);
  const focused = dialog.fields[dialog.focus] === field;
  const { choices, hint, lines, locked, value } = field;
  if (choices !== undefined) {
    const text = choices.map((one) => (one === value.text ? `[${one}]` : ` ${one} `)).join("");
    return [plainRow(paint, width, text, focused ? "bold" : undefined)];
  }
  if (lines > 1) {
    const words = focused ? wordChoices(dialog) : [];
    return [
      ...textArea(paint, width, lines, value, focused),
      ...suggestionRows(paint, width, words, dialog.choose, MAX_SUGGESTIONS),
    ];
  }
  if (locked === true)
    return [
      plainRow(paint, width, `${value.text}  (backspace changes it)`, focused ? "bold" : "dim"),
    ];
  if (hint !== undefined && value.text === "") return [hinted(paint, width, hint, focused)];
  if (!focused) return [plainRow(paint, width, value.text)];
  const suggestions = fieldSuggestions(state, dialog);
  return [
    withCursor(paint, width, value),
    ...suggestionRows(paint, width, suggestions, dialog.choose, MAX_SUGGESTIONS),
  ];
}

function hinted(paint: Paint, width: number, hint: string, focused: boolean): string {
  const place = focused ? paint("cursor", " ") : " ";
  return place + plainRow(paint, width - 1, hint, "dim");
}

export function suggestionRows(
  paint: Paint,
  width: number,
  all: readonly string[],
  choose: number | undefined,
  count: number,
): readonly string[] {
  const top = Math.max(0, Math.min((choose ?? 0) - count + 1, all.length - count));
  return all.slice(top, top + count).map((text, row) => {
    const isChosen = top + row === choose;
    return plainRow(
      paint,
      width,
      `${isChosen ? paint.glyphs.cursor : " "} ${text}`,
      isChosen ? "inverse" : "dim",
    );
  });
}
