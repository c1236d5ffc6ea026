import { describe, expect, test } from "vitest";
import { deletedText, unavailableIssue } from "../../src/screen/detail/away.ts";
import type { IssueView } from "../../src/screen/detail/shown.ts";
import type { DetailPart } from "../../src/screen/detail/state.ts";
import { emptyOf } from "../../src/screen/empty.ts";
import type { Place } from "../../src/screen/place/place.ts";
import { placeOf } from "../../src/screen/place/place-of.ts";
import { HOME, issue, NOW, type Session, screen } from "../tui/support.ts";

const [first, second, far] = [issue(1), issue(2), issue(77)];

function opened(): Session {
  return screen(100, 30, [first, second]);
}

/** Goes to an address at the project of the session. */
function go(session: Session, place: Partial<Place>): Session {
  const { project } = placeOf(session.state);
  session.tell({ type: "went", place: { ...HOME, project, ...place } });
  return session;
}

const graphAt = (source: string | undefined) => ({ screen: "graph", source }) as const;

describe("an address of a graph", () => {
  test.each([
    ["an issue that is loaded", first.uid, { project_id: first.project_id, ref: first.short_id }],
    ["an issue that is not", far.uid, undefined],
  ])("is written and read for %s", (_what, source, at) => {
    const session = go(opened(), graphAt(source));
    expect(placeOf(session.state)).toMatchObject(graphAt(source));
    expect(session.effects).toContainEqual(
      expect.objectContaining({ effect: "load-graph", source, at }),
    );
  });

  test("an address of a graph without an issue says that none is selected, or shows the last graph", () => {
    const none = go(screen(100, 30, []), graphAt(undefined));
    expect(none.state.screen).toBe("graph");
    expect(emptyOf(none.state)?.why).toBe("no issue is chosen");
    const last = go(go(opened(), graphAt(second.uid)), { screen: "board" });
    expect(placeOf(go(last, graphAt(undefined)).state).source).toBe(second.uid);
  });

  test.each([
    ["forth", [first, second], [first.uid]],
    ["forth and back", [first, second, first], []],
    ["back by two", [first, second, far, first], []],
    ["back by one", [first, second, far, second], [first.uid]],
    ["to the same", [first, first], []],
  ])("keeps the path through the visited graphs: %s", (_way, sources, before) => {
    const session = opened();
    for (const { uid } of sources) go(session, graphAt(uid));
    expect(session.state.graph).toMatchObject({ source: sources.at(-1)?.uid, before });
  });

  test("a graph opened from another screen starts a new path", () => {
    const session = go(go(opened(), graphAt(first.uid)), { screen: "inbox" });
    expect(go(session, graphAt(second.uid)).state.graph?.before).toEqual([]);
  });

  test("a graph that cannot be read says so instead of loading for ever", () => {
    const session = go(opened(), graphAt(far.uid));
    expect(emptyOf(session.state)?.why).toBe("loading...");
    session.tell({ type: "graph", source: far.uid, graph: { error: "no issue here" } });
    expect(emptyOf(session.state)?.why).toBe("the graph cannot be read");
  });
});

describe("an address of a missing project", () => {
  const missing = (): Session => go(opened(), { project: "ghost" });

  test("shows no other project, and asks the daemon what became of the missing one", () => {
    const session = missing();
    expect(session.effects).toEqual([{ effect: "find-project", name: "ghost" }]);
    expect(session.state.issues.size).toBe(0);
    session.changed([first]);
    expect(session.state.issues.size).toBe(0);
    expect(placeOf(session.state).project).toBe("ghost");
    session.tell({ type: "reload" });
    const asked = session.effects.map(({ effect }) => effect);
    expect(asked).toContain("find-project");
    expect(asked).not.toContain("load-issues");
  });

  test.each([
    ["unknown", "There is no project called ghost."],
    ["archived", "The project ghost is archived."],
  ] as const)("explains that the project is %s: %s", (is, why) => {
    const session = missing();
    session.tell({ type: "found-project", name: "ghost", is });
    const { next, byKey } = emptyOf(session.state) ?? {};
    expect(next?.join("\n")).toContain(
      is === "archived" ? "svc projects restore ghost" : "renamed",
    );
    expect(byKey).toEqual(["5 shows the projects that there are."]);
    for (const screenName of ["board", "cron", "fleet"] as const) {
      session.state = { ...session.state, screen: screenName };
      expect(emptyOf(session.state)?.why).toBe(why);
    }
    session.state = { ...session.state, screen: "inbox" };
    expect(emptyOf(session.state)?.why).not.toBe(why);
  });

  test("shows the project once it was created or restored, and ignores an answer about another project", () => {
    const session = missing();
    session.tell({ type: "found-project", name: "other", is: { id: 9, name: "other" } });
    expect(placeOf(session.state).project).toBe("ghost");
    session.tell({ type: "found-project", name: "ghost", is: { id: 9, name: "ghost" } });
    expect(session.state.scope).toMatchObject({
      missing: undefined,
      project: { id: 9, name: "ghost" },
    });
    expect(session.effects).toContainEqual(
      expect.objectContaining({ effect: "load-issues", project_id: 9 }),
    );
  });

  test("can be left for the board of all projects, which is loaded then", () => {
    const session = missing();
    session.tell({ type: "went", place: HOME });
    expect(session.state.scope.missing).toBeUndefined();
    expect(session.effects).toContainEqual(
      expect.objectContaining({ effect: "load-issues", project_id: undefined }),
    );
  });
});

describe("an address of an issue by its name", () => {
  const named = (name = "k077"): Session => go(opened(), { issue: name });

  test("asks the daemon which issue it is, and then becomes the address with the issue's uid", () => {
    const session = named();
    const { project } = session.state.scope;
    expect(session.effects).toContainEqual({
      ...{ effect: "find-issue", name: "k077", project_id: project?.id },
    });
    expect(placeOf(session.state).issue).toBe("k077");
    session.tell({ type: "named", name: "k077", uid: far.uid });
    expect(placeOf(session.state).issue).toBe(far.uid);
    expect(session.effects).toContainEqual(
      expect.objectContaining({ effect: "load-detail", uid: far.uid }),
    );
  });

  test("opens nothing if the person left the issue before the answer came", () => {
    const session = named().keys("esc");
    session.tell({ type: "named", name: "k077", uid: far.uid });
    expect(session.state.detail.open).toEqual([]);
  });

  const candidates = [first, second].map(({ uid, qualified_id, title }) => ({
    ...{ issue: uid, name: qualified_id, title },
  }));
  const at = "2026-11-21T07:00:00.000Z";
  const gone = { qualified_id: "old#k077", project: "old port", at } as const;
  test.each<[what: string, asked: string, detail: DetailPart, why: string, lines: RegExp]>([
    ["no such name", "k077", { missing: true }, "No issue is called k077", /project#abc4/],
    ["no such name in a project", "a#k077", { missing: true }, "No issue is called a#k077", /name/],
    ["several", "k001", { missing: true, candidates }, "2 issues are called k001", /Choose/],
    ["an error", "k001", { missing: false, error: "no" }, "The issue cannot be read", /^no$/],
    [
      "no such uid",
      far.uid,
      { missing: true },
      "There is no such issue",
      /purged with its project/,
    ],
    [
      "an archived project",
      far.uid,
      { missing: true, gone: { ...gone, is: "archived" } },
      "old#k077 is in an archived project",
      /archived 3h ago[\s\S]*svc projects restore "old port"/,
    ],
    [
      "a purge",
      far.uid,
      { missing: true, gone: { ...gone, is: "purged", by: "bo" } },
      "old#k077 was purged",
      /erased by bo 3h ago/,
    ],
  ])("says why no issue is shown: %s", (_what, asked, detail, why, lines) => {
    const session = named(asked);
    session.state = { ...session.state, now: "2026-11-21T10:00:00.000Z" };
    expect(unavailableIssue(session.state, asked)).toBeUndefined();
    session.tell({ type: "detail", uid: asked, detail: { error: "", ...detail } });
    const away = unavailableIssue(session.state, asked);
    expect(away?.why.startsWith(why)).toBe(true);
    expect(away?.lines.join("\n")).toMatch(lines);
    expect(away?.candidates).toEqual(detail.candidates ?? []);
  });
});

test("a deleted issue shows who deleted it, when, and how to restore it", () => {
  const { state } = opened();
  const events = [{ type: "issue.soft_deleted", actor: "bo" }];
  const shown = { issue: first, detail: { events } } as unknown as IssueView;
  expect(deletedText(state, shown, NOW)).toBe(
    `Deleted by bo just now. Its text stays readable; :restore ${first.qualified_id} brings it back.`,
  );
  const unread = { issue: first, detail: undefined } as unknown as IssueView;
  expect(deletedText(state, unread, NOW)).toMatch(/^Deleted just now\./);
});
