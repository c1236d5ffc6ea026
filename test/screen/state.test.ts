import { expect, test } from "vitest";
import { initialState } from "../../src/screen/initial-state.ts";
import { SCREENS } from "../../src/screen/screens.ts";
import { START } from "../tui/support.ts";

/** What the screens share. Something that belongs to one screen is a field of the screen's own entry. */
const SHARED = [
  "connection",
  "detail",
  "dialog",
  "fit",
  "issues",
  "loading",
  "marks",
  "memo",
  "messages",
  "now",
  "preferences",
  "screen",
  "scope",
  "screens",
  "session",
  "window",
  "writes",
];

test("the state has one entry for each screen, and otherwise only what all screens share", () => {
  const state = initialState({ ...START, columns: 80, rows: 24 });
  const entries = SCREENS.map(({ name }) => name);
  expect(Object.keys(state).sort()).toEqual([...SHARED, ...entries].sort());
});
