import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import type { LiveEvent } from "../../src/screen/message.ts";
import { frame } from "../../tui/screens/frame.ts";
import { painter } from "../../tui/style.ts";
import { NOW, type Session, screen } from "../tui/support.ts";

const lines = ({ state }: Session) =>
  frame(state, painter("none")).map((row) => stripVTControlCharacters(row).trimEnd());
const project = (id: number, name: string, open = 0, closed = 0) => {
  const uid = `01JPROJECT000000000000000${id - 1}`;
  return { id, uid, name, open, closed, last: undefined };
};
const event = (kind: string): LiveEvent => ({
  id: 1,
  kind,
  actor: "bo",
  at: NOW,
  project_id: 2,
  uid: undefined,
  uids: [],
  description: "",
});

describe("the projects screen", () => {
  test("starts with a row for all projects, and each row counts open, closed and all issues", () => {
    expect(lines(screen(80, 24).keys("5")).slice(2, 6)).toEqual([
      "  PROJECT                                         OPEN  CLOSED   TOTAL   CHANGED",
      "  All projects                                       8       1       9",
      "> product                                            6       1       7       now",
      "  infra                                              2       0       2",
    ]);
    const narrow = lines(screen(40, 10).keys("5"));
    expect(narrow[3]).toBe("  All projects                 8       9");
  });

  test.each([
    [80, " 2 projects  open 8  closed 1                        n makes one   oldest first"],
    [60, " 2 projects  open 8  closed 1    n makes one   oldest first"],
    [40, " 2 projects  open 8  closed 1"],
  ])(
    "shows the number and order of projects in a line of its own, at %i columns",
    (columns, line) => {
      expect(lines(screen(columns, 24).keys("5"))[1]).toBe(line);
    },
  );

  test("keeps the cursor on its project when others arrive, and moves it when that project disappears", () => {
    const session = screen(80, 24).keys("5", "j");
    const [first, second] = [project(1, "product"), project(2, "infra")];
    session.tell({ type: "projects", projects: [project(3, "alpha"), first, second] });
    expect(session.state.projects.cursor).toBe(3);
    session.tell({ type: "projects", projects: [project(3, "alpha"), first] });
    expect(session.state.projects.cursor).toBe(2);
    expect(session.keys("g").state.projects.cursor).toBe(0);
    session.tell({ type: "projects", projects: [first] });
    expect(session.state.projects.cursor).toBe(0);
    expect(session.keys("G").state.projects.cursor).toBe(1);
  });

  test.each([
    [["5"], "issue.created", true],
    [["5"], "project.renamed", true],
    [["5"], "issue.commented", false],
    [["1"], "issue.closed", false],
  ])("after the keys %j loads the counts again for an event %s: %s", (keys, kind, isRead) => {
    const session = screen(80, 24).keys(...keys);
    const effects = session.tell({ type: "events", events: [event(kind)] });
    const reads = effects.filter(({ effect }) => effect === "load-projects");
    expect(reads).toEqual(isRead ? [{ effect: "load-projects", wait: 500 }] : []);
  });

  test.each([
    ["project.renamed", true],
    ["project.removed", true],
    ["project.restored", true],
    ["project.merged", true],
    ["project.author_rewritten", true],
    ["project.created", false],
    ["project.metadata_updated", false],
    ["issue.moved", false],
  ])("loads a project and its open issue again for an event %s: %s", (kind, isRead) => {
    const session = screen(80, 24).keys("enter");
    const { serial } = session.state.session;
    const effects = session.tell({ type: "events", events: [{ ...event(kind), uids: [] }] });
    const list = effects.filter(({ effect }) => effect === "load-issues");
    expect(list).toEqual(
      isRead ? [{ effect: "load-issues", project_id: 1, serial: serial + 1 }] : [],
    );
    expect(effects.some(({ effect }) => effect === "load-detail")).toBe(isRead);
    expect(session.state.loading.serial).toBe(isRead ? serial + 1 : 0);
  });

  test("loads the counts again for the browse pane of the board too", () => {
    const effects = screen(160, 50).tell({ type: "events", events: [event("issue.closed")] });
    expect(effects).toContainEqual({ effect: "load-projects", wait: 500 });
  });

  test("says what to do if there is no project", () => {
    const session = screen(80, 24).keys("5");
    session.state = { ...session.state, scope: { ...session.state.scope, projects: [] } };
    expect(lines(session).slice(2, 6)).toEqual([
      "  There is no project yet.",
      "  n makes one by its name.",
      "  For the folder that you work in, leave and run: svc init",
      "",
    ]);
    session.keys("enter");
    expect(session.state.messages.notice?.text).toBe("there is no project yet");
  });
});

describe("a new project", () => {
  test("is named, created and shown", () => {
    const session = screen(80, 24).keys("5", "n").type("web").keys("enter");
    expect(session.effects).toEqual([{ effect: "create-project", name: "web" }]);
    session.tell({ type: "new-project", project: project(3, "web"), created: true });
    expect(session.state).toMatchObject({
      screen: "board",
      scope: { project: { id: 3, name: "web" } },
      messages: { notice: { text: "created the project web" } },
    });
    expect(session.effects).toContainEqual({ effect: "load-projects", wait: 0 });
    expect(session.effects).toContainEqual(
      expect.objectContaining({ effect: "load-issues", project_id: 3 }),
    );
  });

  test("is shown on the board whatever was opened before the answer, and the list gets the keys", () => {
    const session = screen(80, 24).keys("5", "n").type("new").keys("enter", "1", "enter");
    expect(session.state.window.focus).toBe("detail");
    session.tell({ type: "new-project", project: project(3, "new"), created: true });
    expect(session.state).toMatchObject({
      screen: "board",
      detail: { open: [] },
      window: { focus: "list" },
    });
  });

  test("a new project that exists already is shown, and reported as existing", () => {
    const session = screen(80, 24).keys("5", "n").type("infra").keys("enter");
    session.tell({ type: "new-project", project: project(2, "infra"), created: false });
    expect(session.state.messages.notice?.text).toBe("infra is there already");
    expect(session.state.scope.project?.id).toBe(2);
    expect(session.state.scope.projects).toHaveLength(2);
  });

  test("a new project that the daemon refuses shows the reason, and the input keeps the typed name", () => {
    const session = screen(80, 24).keys("5", "n").type("a#b").keys("enter");
    session.tell({ type: "new-project", name: "a#b", error: "a name has no #" });
    expect(session.state.messages.notice).toMatchObject({ tone: "error", text: "a name has no #" });
    expect(session.state.dialog).toMatchObject({ kind: "project", field: { text: "a#b" } });
  });
});
