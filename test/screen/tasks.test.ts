import { expect, test } from "vitest";
import { tasksIn } from "../../src/screen/detail/tasks.ts";
import { issue, type Session, screen } from "../tui/support.ts";

test.each([
  ["", []],
  ["- [ ] a", [[0, false, "a"]]],
  [
    "text\n\n* [x] a\n1. [X] b",
    [
      [2, true, "a"],
      [3, true, "b"],
    ],
  ],
  ["- [ ]a\n- [-] b\n[ ] c", []],
  ["```\n- [ ] code\n```\n- [ ] a", [[3, false, "a"]]],
  ["~~~\n```\n- [ ] code\n~~~\n> - [ ] a", [[4, false, "a"]]],
  ["```\n- [ ] never closed", []],
])("the tasks of %j are %j", (body, tasks) => {
  expect(tasksIn(body).map(({ line, isDone, text }) => [line, isDone, text])).toEqual(tasks);
});

const board = (body: string): Session => screen(100, 30, [issue(1, { body })]);
const bodies = ({ effects }: Session) =>
  effects.flatMap((one) =>
    one.effect === "write" && one.write.act === "edit" ? [one.write.body] : [],
  );

test("T ticks the only task at once, and clears it again", () => {
  expect(bodies(board("- [ ] a").keys("T"))).toEqual(["- [x] a"]);
  expect(bodies(board("- [x] a").keys("T"))).toEqual(["- [ ] a"]);
});

test("T asks which of several tasks, and ticks the first unless another is selected", () => {
  const body = "- [ ] a\n- [x] b";
  const asked = board(body).keys("T");
  expect(asked.state.dialog).toMatchObject({ choices: ["1  [ ] a", "2  [x] b"], choose: 0 });
  expect(bodies(asked.keys("enter"))).toEqual(["- [x] a\n- [x] b"]);
  expect(bodies(board(body).keys("T", "down", "enter"))).toEqual(["- [ ] a\n- [ ] b"]);
  expect(bodies(board(body).keys("T").type("2").keys("enter"))).toEqual(["- [ ] a\n- [ ] b"]);
});

test("T says why it cannot tick a task", () => {
  const none = board("text").keys("T");
  expect(none.state.messages.notice?.text).toContain("its text has no tasks");
  const changed = board("- [ ] a\n- [ ] b").keys("T");
  changed.changed([issue(1, { body: "- [ ] other\n- [ ] b", revision: 2 })]);
  expect(bodies(changed.keys("enter"))).toEqual([]);
  expect(changed.state.messages.notice?.text).toContain("that task is gone");
});
