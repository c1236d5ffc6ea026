import { expect, test } from "vitest";
import { golden } from "../support/golden.ts";
import { ASKED, bridge, bridged, CONFLICT } from "./bridged.ts";
import { picture, text } from "./picture.ts";
import type { Session } from "./support.ts";

const failing = (columns: number, rows: number): Session =>
  bridged(columns, rows, {
    bridge: bridge({
      ...{ enabled: false, paused_reason: "the tracker moves", consecutive_failures: 2 },
      ...{ last_error: "external connector request timed out", field_conflicts: [CONFLICT] },
    }),
  });

test.each([
  ["bridge-of-an-issue", ASKED, 80, 24],
  ["bridge-of-an-issue", ASKED, 160, 50],
  ["bridge-that-is-paused", failing, 80, 24],
  ["bridge-choices", (columns: number, rows: number) => ASKED(columns, rows).keys("F"), 80, 24],
  ["bridge-choices", (columns: number, rows: number) => ASKED(columns, rows).keys("F"), 160, 50],
] as const)("a picture matches its golden file: %s", (name, show, columns, rows) => {
  const session = show(columns, rows);
  const file = `test/golden/tui/${name}-${columns}x${rows}.txt`;
  expect(text(session)).toBe(golden(file, text(session)));
});

test("an answer is offered to a comment of a paused bridge, and to its conflict only once it is resumed", () => {
  const asked = { field_conflicts: [CONFLICT], pending_comment_uid: "01JC1" };
  const lines = (enabled: boolean): readonly string[] =>
    picture(bridged(160, 24, { bridge: bridge({ ...asked, enabled }) })).filter((line) =>
      line.includes("F answers"),
    );
  expect(lines(true)).toHaveLength(2);
  expect(lines(false)).toEqual([expect.stringContaining("comment")]);
});

test("texts of others neither reach the terminal as control characters nor push the issue away", () => {
  const hostile = `\u001b[2J\u202e\u0007${"é".repeat(4096)}`;
  const session = bridged(80, 24, {
    bridge: bridge({
      ...{ enabled: false, paused_reason: hostile, last_error: hostile, consecutive_failures: 1 },
    }),
  });
  const seen = picture(session);
  for (const character of ["\u001b", "\u202e", "\u0007"])
    expect(seen.join("")).not.toContain(character);
  expect(seen.join("\n")).toContain("All of it.");
});
