import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { boardRows } from "../../src/screen/board/board.ts";
import { isLanes } from "../../src/screen/board/lanes.ts";
import type { Issue } from "../../src/screen/issues/issues.ts";
import { frame } from "../../tui/screens/frame.ts";
import { painter } from "../../tui/style.ts";
import { issue, type Session, sample, screen } from "../tui/support.ts";

const ids = ({ state }: Session) => boardRows(state).map((row) => row.issue.short_id);
const status = ({ state }: Session) =>
  stripVTControlCharacters(frame(state, painter("none"))[1] ?? "").trim();

/** An issue that is not in the list, and a closed one that is. */
const far = issue(99, { title: "Far away", status: "closed" });
const closed = issue(6, { title: "Done long ago", status: "closed" });

function answer(
  session: Session,
  issues: readonly Issue[],
  how = "lexical",
  meant: readonly Issue[] = [],
): Session {
  const serial = session.state.board.search?.serial ?? -1;
  session.tell({ type: "found", serial, issues, meant: meant.map(({ uid }) => uid), how });
  return session;
}

test("ctrl+f in the filter line makes the daemon search for its words and labels", () => {
  const session = screen(80, 24).keys("/");
  session.type('Crash label:Bug -label:wip "exit code" owner:bo').keys("ctrl+f");
  expect(session.effects).toEqual([
    {
      effect: "search",
      serial: session.state.session.serial,
      words: "Crash exit code",
      labels: ["Bug"],
      withoutLabels: ["wip"],
      projects: [1],
    },
  ]);
  expect(session.state.board.query).toBe("status:open");
  expect(status(session)).toBe("searching the daemon for Crash exit code...");
});

test("a search without words says what is missing, and sends nothing", () => {
  const session = screen(80, 24).keys("/", "ctrl+f");
  expect(session.state.board.search).toBeUndefined();
  expect(session.state.messages.notice?.text).toBe("type the words that the daemon is to look for");
  expect(session.effects.map(({ effect }) => effect)).toEqual(["wake"]);
});

test("a search without words keeps the typed text and its filter", () => {
  const session = screen(80, 24).keys("/").type("label:bug").keys("ctrl+f");
  expect(session.state.dialog).toMatchObject({ field: { text: "status:open label:bug" } });
  expect(session.keys("enter").state.board.query).toBe("status:open label:bug");
  session.keys("ctrl+f", "enter");
  expect(session.state.dialog).toMatchObject({ kind: "search", field: { text: "label:bug" } });
  expect(session.state.messages.notice?.text).toBe("type the words that the daemon is to look for");
});

test("results keep the daemon's order, the status line says how they were found, and esc returns to the filter", () => {
  const session = screen(80, 24).keys("/").type("daemon").keys("enter", "ctrl+f", "enter");
  answer(session, [far, closed, sample()[0] ?? far]);
  expect(ids(session)).toEqual(["k099", "k006", "k001"]);
  expect(session.cursor).toBe("k099");
  expect(status(session)).toMatch(/^found 3 for daemon {3}lexical .*esc back$/);
  session.keys("j", "j", "esc");
  expect(ids(session)).toEqual(["k004"]);
  expect(session.state.board.query).toBe("status:open daemon");
});

test("the screen says why a search was limited, and that there are more results", () => {
  const session = screen(100, 24).keys("ctrl+f").type("x").keys("enter");
  answer(session, [far], "lexical (no embeddings)");
  expect(status(session)).toContain("lexical (no embeddings)");
  const many = Array.from({ length: 200 }, (_none, at) => issue(at + 100));
  answer(session.keys("esc", "ctrl+f").type("x").keys("enter"), many);
  expect(status(session)).toContain("found the best 200 for x");
});

test("an issue that was found by its meaning has a sign, which help explains", () => {
  const session = screen(80, 24).keys("ctrl+f").type("x").keys("enter");
  answer(session, [far, closed], "hybrid", [far]);
  const lines = frame(session.state, painter("none")).map(stripVTControlCharacters);
  expect(lines.filter((line) => line.includes("Far away ="))).toHaveLength(1);
  expect(lines.some((line) => line.includes("Done long ago ="))).toBe(false);
  expect(status(session)).toContain("hybrid");
  session.keys("esc", "ctrl+f").type("x").keys("enter");
  answer(session, [far]);
  expect(frame(session.state, painter("none")).join("\n")).not.toContain("Far away =");
});

test("an answer to a search that was left or replaced by another search changes nothing", () => {
  const session = screen(80, 24).keys("ctrl+f").type("one").keys("enter");
  const { serial } = session.state.session;
  session.keys("ctrl+f").type("two").keys("enter");
  session.tell({ type: "found", serial, issues: [far], meant: [], how: "lexical" });
  expect(session.state.board.search?.found).toBeUndefined();
  session.keys("esc");
  answer(session, [far]);
  expect(ids(session)).not.toContain("k099");
});

test("a search that fails says why, and the board is as before", () => {
  const session = screen(80, 24).keys("ctrl+f").type("one").keys("enter");
  const before = ids(screen(80, 24));
  session.tell({ type: "found", serial: session.state.session.serial, error: "no answer in time" });
  expect(session.state.messages.notice).toMatchObject({ tone: "error", text: "no answer in time" });
  expect(ids(session)).toEqual(before);
});

test("search results stay when the list is loaded again, and a deleted issue disappears from them", () => {
  const session = answer(screen(80, 24).keys("ctrl+f").type("x").keys("enter"), [far, closed]);
  const all = { type: "issues", part: "all", serial: 0, gone: [], truncated: true } as const;
  session.tell({ ...all, issues: sample() });
  expect(ids(session)).toEqual(["k099", "k006"]);
  session.changed([], [far.uid]);
  expect(ids(session)).toEqual(["k006"]);
});

test("commands for an issue act on search results, and esc returns to the lanes", () => {
  const session = screen(80, 24).keys("v", "v", "ctrl+f").type("x").keys("enter");
  answer(session, [far, closed]).keys("r");
  expect(session.writes).toMatchObject([{ act: "reopen", at: { ref: "k099" } }]);
  expect(isLanes(session.state)).toBe(false);
  expect(isLanes(session.keys("esc").state)).toBe(true);
});

test("a search without a result is reported", () => {
  const session = answer(screen(80, 24).keys("ctrl+f").type("x").keys("enter"), []);
  expect(frame(session.state, painter("none")).join("\n")).toContain("the daemon found nothing");
});

test("a search on the board of all projects searches each of them", () => {
  const session = screen(80, 24).keys("5", "k", "k", "enter", "ctrl+f").type("x").keys("enter");
  expect(session.state.scope.project).toBeUndefined();
  expect(session.effects).toMatchObject([{ effect: "search", projects: [1, 2] }]);
});
