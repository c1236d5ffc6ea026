import { instantToMs } from "../../src/base/clock.ts";
import { age } from "../age.ts";
import type { Field } from "../state/field.ts";
import { menuRows } from "../state/menu.ts";
import { suggestions } from "../state/sheets.ts";
import type { FormSheet, Sheet, State } from "../state/state.ts";
import { commandOf } from "../state/writes.ts";
import type { Paint } from "../style.ts";
import { cells, fit, graphemes, head, wrap } from "../text.ts";
import { cellsRow, ends, plainRow } from "./rows.ts";

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
      return menu(state, sheet, paint, width, height);
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

function title(paint: Paint, width: number, text: string): string {
  const { rule } = paint.glyphs;
  return paint(
    "bold",
    fit(`${rule}${rule} ${text} ${rule.repeat(Math.max(0, width - cells(text) - 4))}`, width),
  );
}

function keysLine(paint: Paint, width: number, text: string, right = ""): string {
  return paint("dim", ends(width, ` ${text}`, right));
}

/** A label and a text that is typed, with the place of the next character inverse; what is left of it gives way. */
function line(paint: Paint, width: number, label: string, field: Field): string {
  const name = cells(label) > width - 8 ? fit(label, width - 8) : label;
  const room = width - cells(name);
  return paint("bold", name) + withCursor(paint, room, field);
}

function withCursor(paint: Paint, width: number, { text, at }: Field): string {
  const all = graphemes(text);
  let before = all.slice(0, at).join("");
  while (cells(before) > width - 2) before = graphemes(before).slice(1).join("");
  const under = all[at] ?? " ";
  const after = head(all.slice(at + 1).join(""), width - cells(before) - cells(under));
  const used = cells(before) + cells(under) + cells(after);
  return `${before}${paint("inverse", under)}${after}${" ".repeat(Math.max(0, width - used))}`;
}

function menu(
  state: State,
  sheet: Extract<Sheet, { sheet: "menu" }>,
  paint: Paint,
  width: number,
  height: number,
): readonly string[] {
  const rows = menuRows(state, sheet.field.text);
  const room = height - 3;
  const at = Math.min(sheet.at, Math.max(0, rows.length - 1));
  const top = Math.max(0, Math.min(at - Math.floor(room / 2), rows.length - room));
  const lines = rows.slice(top, top + room).map(({ row, why }, place) =>
    cellsRow(
      paint,
      width,
      [
        { text: top + place === at ? paint.glyphs.cursor : "", width: 1 },
        { text: row.keys.join(" "), width: 16, role: "ref" },
        { text: row.command, width: 18 },
        {
          text: why === undefined ? row.label : `${row.label} - ${why}`,
          width: Math.max(4, width - 38),
          role: why === undefined ? undefined : "dim",
        },
      ],
      top + place === at ? "inverse" : undefined,
    ),
  );
  return [
    title(paint, width, sheet.kind === "help" ? "keys" : "commands"),
    line(paint, width, sheet.kind === "help" ? "find: " : ": ", sheet.field),
    ...lines,
    keysLine(
      paint,
      width,
      "enter run   up/down choose   esc back",
      `${rows.length === 0 ? 0 : at + 1} of ${rows.length}`,
    ),
  ];
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

/** Some lines of a longer text, those around the cursor. */
function textArea(
  paint: Paint,
  width: number,
  height: number,
  field: Field,
  focused: boolean,
): readonly string[] {
  const all = graphemes(field.text);
  const before = all.slice(0, field.at).join("").split("\n");
  const row = before.length - 1;
  const texts = field.text.split("\n");
  const top = Math.max(0, Math.min(row - height + 1, texts.length - 1));
  return Array.from({ length: height }, (_none, at) => {
    const text = texts[top + at];
    if (text === undefined) return fit("", width);
    if (!focused || top + at !== row) return plainRow(paint, width, text);
    return withCursor(paint, width, { text, at: graphemes(before.at(-1) ?? "").length });
  });
}
