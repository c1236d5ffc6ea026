import { describe, expect, test } from "vitest";
import { commandStateOf } from "../../src/screen/commands.ts";
import { readProjects } from "../../src/screen/effects/reads/projects.ts";
import { emptyActs } from "../../src/screen/empty.ts";
import { initialState } from "../../src/screen/initial-state.ts";
import type { Issue } from "../../src/screen/issues/issues.ts";
import { projectLabel, scopeLabel } from "../../src/screen/scope/copies.ts";
import type { ProjectItem } from "../../src/screen/scope/state.ts";
import type { Transport } from "../../src/shared/transport.ts";
import { text } from "../tui/picture.ts";
import { DAEMONS, issue, Session, START, screen } from "../tui/support.ts";

const HUB = "https://hub.example";
const WHY = `product is a copy of a project of ${HUB}: changes are made there`;

const item = (id: number, name: string, more: Partial<ProjectItem> = {}): ProjectItem => ({
  ...{ id, name, uid: `01JPROJECT${String(id).padStart(16, "0")}`, open: 1, closed: 0 },
  last: undefined,
  ...more,
});
const COPY = item(1, "product", { readOnlyCopyOf: HUB });
const OWN = item(2, "own");

/** A screen of the copy, with an issue of it. */
function ofCopy(issues = [issue(1)], columns = 120): Session {
  const session = screen(columns, 24, issues);
  session.tell({ type: "projects", projects: [COPY, OWN] });
  return session;
}

/** A screen of all projects. */
function ofAll(issues: readonly Issue[]): Session {
  const size = { columns: 120, rows: 24, daemons: DAEMONS };
  const session = new Session(initialState({ ...START, ...size, scope: { project: undefined } }));
  session.tell({ type: "projects", projects: [COPY, OWN] });
  session.tell({ type: "live", live: "live" });
  session.tell({ type: "issues", part: "all", serial: 0, issues, gone: [], truncated: false });
  return session;
}

const notice = ({ state }: Session) => state.messages.notice?.text;

describe("a project that is a copy", () => {
  test.each(["e", "x", "n", "C", "p", "m"])(
    "refuses the key %s before anything is typed, with the reason",
    (key) => {
      const session = ofCopy().keys(key);
      expect(session.state.dialog).toBeUndefined();
      expect(session.writes).toEqual([]);
      expect(notice(session)).toBe(WHY);
    },
  );

  test("offers the commands that only read in its menu, and none that changes an issue", () => {
    const commands = new Map(
      commandStateOf(ofCopy().state).map(({ row, why }) => [row.command, why]),
    );
    for (const command of ["edit", "close", "new", "assign", "add-label", "comment"] as const)
      if (commands.has(command) && commands.get(command)?.startsWith("only ") !== true)
        expect([command, commands.get(command)]).toEqual([command, WHY]);
    for (const command of ["copy", "reload", "projects"] as const)
      expect(commands.get(command)).toBeUndefined();
    const acts = emptyActs(ofCopy([]).state);
    expect(acts.flatMap((act) => ("command" in act ? act.command : []))).not.toContain("new");
  });

  test("does not prevent changes to an issue of another project on the board of all projects", () => {
    const own = issue(2, { project_id: 2, project_name: "own", qualified_id: "own#k002" });
    const session = ofAll([own]);
    expect(session.keys("e").state.dialog).toBeDefined();
  });

  test("refuses a change of several marked issues if one of them belongs to the copy", () => {
    const own = issue(2, { project_id: 2, project_name: "own", qualified_id: "own#k002" });
    const session = ofAll([own, issue(1)]).keys("space", "space", "x");
    expect(session.state.marks.size).toBe(2);
    expect(session.state.dialog).toBeUndefined();
    expect(notice(session)).toBe(WHY);
  });

  test("is called a copy in headings and lists", () => {
    expect(projectLabel(COPY)).toBe("product (copy)");
    expect(projectLabel(OWN)).toBe("own");
    expect(scopeLabel(ofCopy().state)).toBe("product (copy)");
    expect(text(ofCopy())).toContain("product (copy)");
    expect(text(ofCopy().keys("5"))).toContain("product (copy)");
    expect(text(screen(80, 24, [issue(1)]))).not.toContain("(copy)");
  });

  test("can be changed again once the daemon reports that the project is no copy any more", () => {
    const session = ofCopy();
    session.tell({ type: "projects", projects: [item(1, "product"), OWN] });
    expect(session.keys("e").state.dialog).toBeDefined();
  });

  test("is recognised by the read-only mark in the daemon's list of projects", async () => {
    const listed = (copy_of: object) => ({
      ...{ id: 1, uid: COPY.uid, name: "product", metadata: {}, revision: 1 },
      ...{ created_at: "2026-11-01T10:00:00.000Z", copy_of },
    });
    const at = { hub_url: HUB, hub_project_id: 7 };
    const projects = [listed({ ...at, read_only: true }), listed({ ...at, read_only: false })];
    const daemon = { call: async () => await Promise.resolve({ projects }) };
    const read = await readProjects(daemon as unknown as Transport);
    expect(read.projects.map(({ readOnlyCopyOf }) => readOnlyCopyOf)).toEqual([HUB, undefined]);
  });
});
