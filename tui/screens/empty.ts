import { type Empty, textsOf } from "../../src/screen/empty-text.ts";
import type { Paint } from "../style.ts";
import { unreadLines, wrap } from "../text.ts";
import { plainRow } from "./rows.ts";

const INDENT = 2;

export function drawError(
  error: string | undefined,
  paint: Paint,
  width: number,
): readonly string[] {
  return unreadLines(error, width).map((line) => plainRow(paint, width, line, "error"));
}

/** Draws the text of a screen without rows. Long lines are wrapped, so that the text can be read at any width. */
export function drawEmpty(
  empty: Empty | undefined,
  paint: Paint,
  width: number,
): readonly string[] {
  if (empty === undefined) return [];
  return textsOf(empty).flatMap((text, at) =>
    wrap(text, width - INDENT).map((line) =>
      plainRow(paint, width, `${" ".repeat(INDENT)}${line}`, at === 0 ? "dim" : undefined),
    ),
  );
}
