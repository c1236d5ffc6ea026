import { instantToMs } from "../../src/base/clock.ts";
import { age } from "../age.ts";
import { suggestions } from "../state/sheets.ts";
import type { FormSheet, Sheet, State } from "../state/state.ts";
import { commandOf } from "../state/writes.ts";
import type { Paint } from "../style.ts";
import { fit, wrap } from "../text.ts";
import { keysLine, line, textArea, title, withCursor } from "./input.ts";
import { drawMenu } from "./menu.ts";
import { plainRow } from "./rows.ts";

/** What covers the last rows of the screen while something is asked for: at most `height` lines. */
export function drawSheet(
  state: State,
  sheet: Sheet,
  paint: Paint,
  width: number,
  height: number,
): readonly string[] {
  switch (sheet.sheet) {
    case "prompt": {
      const choices = suggestions(sheet).slice(0, Math.min(5, height - 2));
      return [
        ...choices.map((choice) => plainRow(paint, width, `  ${choice}`, "dim")),
        line(paint, width, `${sheet.label}: `, sheet.field),
        keysLine(
          paint,
          width,
          `enter take   tab complete${sheet.kind === "filter" ? "   ctrl+f search the daemon" : ""}   esc cancel`,
        ),
      ];
    }
    case "priority":
      return [
        plainRow(paint, width, "priority: 0 (highest) to 4, - for none", "bold"),
        keysLine(paint, width, "0 1 2 3 4 -   esc cancel"),
      ];
    case "confirm":
      return [plainRow(paint, width, sheet.text, "bold"), keysLine(paint, width, "y yes   n no")];
    case "type":
      return [
        plainRow(paint, width, `${sheet.text}: type ${sheet.expected} to go on`, "warn"),
        line(paint, width, "> ", sheet.field),
        keysLine(paint, width, "enter go on   esc cancel"),
      ];
    case "quit":
      return [
        plainRow(paint, width, quitText(state), "bold"),
        keysLine(paint, width, "y quit   n stay"),
      ];
    case "menu":
      return drawMenu(state, sheet, paint, width, height);
    case "list":
      return list(state, sheet, paint, width, height);
    case "form":
      return form(sheet, paint, width, height);
  }
}

function quitText({ done }: State): string {
  const pending = done.filter((one) => one.state === "pending").length;
  return pending === 0 ? "quit?" : `${pending} changes are still on their way to the daemon: quit?`;
}

function list(
  state: State,
  sheet: Extract<Sheet, { sheet: "list" }>,
  paint: Paint,
  width: number,
  height: number,
): readonly string[] {
  const nowMs = instantToMs(state.now);
  const room = height - 2;
  const lines =
    sheet.kind === "writes"
      ? state.done.map(({ write, state: how, text }) => {
          const mark = { pending: "%", done: " ", failed: "!" }[how];
          const tail = how === "failed" ? `  # ${text}` : "";
          return plainRow(
            paint,
            width,
            `${mark} ${commandOf(write)}${tail}`,
            how === "failed" ? "error" : undefined,
          );
        })
      : state.notices.map(({ text, tone, at }) =>
          plainRow(
            paint,
            width,
            `${age(instantToMs(at), nowMs)}  ${text}`,
            tone === "error" ? "error" : undefined,
          ),
        );
  const shown = lines.slice(sheet.at, sheet.at + room);
  const none = sheet.kind === "writes" ? "nothing was changed in this session" : "no messages";
  return [
    title(paint, width, sheet.kind === "writes" ? "changes of this session" : "messages"),
    ...(shown.length > 0 ? shown : [plainRow(paint, width, none, "dim")]),
    keysLine(paint, width, "j/k scroll   esc back", String(lines.length)),
  ];
}

function form(sheet: FormSheet, paint: Paint, width: number, height: number): readonly string[] {
  const label = Math.max(...sheet.fields.map((field) => field.label.length)) + 2;
  const lines: { readonly at: number; readonly text: string }[] = [];
  for (const [at, field] of sheet.fields.entries()) {
    const focused = at === sheet.focus;
    const name = fit(`${field.label}:`, label);
    const lead = (row: number): string =>
      paint(focused ? "bold" : "dim", row === 0 ? name : fit("", label));
    const room = Math.max(4, width - label);
    if (field.choices !== undefined) {
      const text = field.choices
        .map((choice) => (choice === field.value.text ? `[${choice}]` : ` ${choice} `))
        .join("");
      lines.push({ at, text: lead(0) + plainRow(paint, room, text, focused ? "bold" : undefined) });
    } else if (field.lines === 1) {
      const value = focused
        ? withCursor(paint, room, field.value)
        : plainRow(paint, room, field.value.text);
      lines.push({ at, text: lead(0) + value });
    } else {
      const rows = textArea(paint, room, field.lines, field.value, focused);
      for (const [row, text] of rows.entries()) lines.push({ at, text: lead(row) + text });
    }
  }
  const foot = sheet.saving
    ? "saving..."
    : sheet.leaving
      ? "esc again to discard what you typed"
      : sheet.kind.form === "filter"
        ? "enter apply   tab next field   ctrl+u clear   ctrl+r reset   esc cancel"
        : "ctrl+s save   tab next field   ctrl+e editor   esc cancel";
  const error =
    sheet.error === undefined
      ? []
      : wrap(sheet.error, width)
          .slice(0, 3)
          .map((text) => plainRow(paint, width, text, "error"));
  const room = Math.max(1, height - 2 - error.length);
  const last = lines.findLastIndex(({ at }) => at === sheet.focus);
  const top = Math.max(0, Math.min(last - room + 1, lines.length - room));
  return [
    title(paint, width, sheet.title),
    ...lines.slice(Math.max(0, top), Math.max(0, top) + room).map(({ text }) => text),
    ...error,
    keysLine(paint, width, foot),
  ];
}
