import { expect, test } from "vitest";
import { initialState } from "../../src/screen/state.ts";
import { START } from "../tui/support.ts";

test("the state of the screen is at most twenty slices, each a subject's own", () => {
  const state = initialState({ ...START, columns: 80, rows: 24 });
  expect(Object.keys(state).length).toBeLessThanOrEqual(20);
});
