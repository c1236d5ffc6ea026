import { expect, test } from "vitest";
import { sample, screen } from "../tui/support.ts";

test("an issue that is listed only as the parent of others keeps its mark after a change", () => {
  const session = screen(120, 40).keys("v", "v", "v", "v", "/").type("replay").keys("enter");
  const rows = sample().filter(({ short_id }) => ["k001", "k002"].includes(short_id));
  session.state = {
    ...session.state,
    marks: new Set(rows.map(({ uid }) => uid)),
  };
  session.keys("+").type("late").keys("enter");
  const sent = session.effects.flatMap((one) => (one.effect === "write" ? [one.id] : []));
  expect(sent).toHaveLength(2);
  for (const [at, id] of sent.entries())
    session.tell({ type: "written", id, issue: rows[at], closed: undefined });
  expect(session.state.marks.size).toBe(2);
});
