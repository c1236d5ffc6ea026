import { expect, test } from "vitest";
import { issue, type Session, screen } from "../tui/support.ts";

/** The first write that was sent has an outcome that the daemon does not know. */
function unknown(session: Session): void {
  const [first] = session.state.writes.sent;
  const text = "it is not known whether the change was made: look whether it was made";
  session.tell({ type: "refused", id: first?.id ?? 0, code: "outcome_unknown", text });
}

const said = ({ state }: Session): string => state.messages.notice?.text ?? "";

test("a change with an unknown outcome is reported as such, and everything is loaded again", () => {
  const session = screen(80, 24, [issue(1, { priority: 3 })]).keys("!", "0");
  const before = session.state.loading.serial;
  unknown(session);
  expect(said(session)).toContain("it is not known whether the change was made");
  expect(said(session)).toContain("everything is read again");
  expect(said(session)).not.toContain("tries again");
  expect(session.effects.map(({ effect }) => effect)).toContain("load-issues");
  expect(session.state.loading.serial).toBeGreaterThan(before);
});

test("after several changes with unknown outcomes the screen does not claim that nothing was changed", () => {
  const session = screen(80, 24, [issue(1), issue(2)]).keys("space", "space", "!", "0");
  const text = "it is not known whether the change was made";
  for (const { id } of session.state.writes.sent)
    session.tell({ type: "refused", id, code: "outcome_unknown", text });
  expect(said(session)).toContain("what was changed is not known, 2 not confirmed");
});
