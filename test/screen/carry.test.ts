import { describe, expect, test } from "vitest";
import { checkCarry, issuesDraggedWith } from "../../src/screen/board/carry.ts";
import { lanesOf } from "../../src/screen/board/lanes.ts";
import { issue, type Session, screen } from "../tui/support.ts";

/** The lanes by state hold k002 / k005 k004 k003 / k007 k001 / k006; by owner bo, claude, codex and nobody. */
const STATES = ["v", "v"];
const OWNERS = ["v", "v", "v"];

function drop(session: Session, number: number, lane: string): Session {
  const place = { is: "lane", uid: issue(number).uid, lane } as const;
  session.tell({ type: "chosen", place, spot: "lane" });
  return session;
}

const sent = ({ writes }: Session) =>
  writes.map((write) => [
    write.act,
    "at" in write ? write.at.ref : undefined,
    ...("owner" in write ? [write.owner] : []),
  ]);

describe("dropping a card on a lane", () => {
  test.each([
    ["an open card dropped on Closed is closed", STATES, 3, "Closed", ["close", "k003"]],
    ["a closed card dropped on Ready is reopened", STATES, 6, "Ready", ["reopen", "k006"]],
    ["a closed card dropped on Blocked is reopened", STATES, 6, "Blocked", ["reopen", "k006"]],
    ["a card dropped on an owner is assigned to them", OWNERS, 3, "bo", ["assign", "k003", "bo"]],
    [
      "a card without owner dropped on an owner is assigned to them",
      OWNERS,
      7,
      "codex",
      ["assign", "k007", "codex"],
    ],
    ["a card dropped on nobody loses its owner", OWNERS, 3, "", ["unassign", "k003"]],
  ] as const)("%s", (_name, keys, number, lane, write) => {
    const session = drop(screen(80, 24).keys(...keys), number, lane);
    expect(sent(session)).toEqual([write]);
    expect(session.cursor).toBe(issue(number).short_id);
  });

  test.each([
    ["Ready", STATES, 2, "blocked, ready or waiting: links, dates and children decide that"],
    ["Closed", STATES, 6, "it is closed already"],
    ["bo", OWNERS, 5, "bo owns it already"],
    ["", OWNERS, 7, "nobody owns it already"],
    ["zoe", OWNERS, 5, "that lane is not here any more"],
    ["Closed", OWNERS, 5, "that lane is not here any more"],
    ["bo", OWNERS, 99, "its issue is not here any more"],
    ["bo", [], 5, "its issue is not here any more"],
  ] as const)(
    "a card dropped on the lane %j after the keys %j is refused with the reason",
    (lane, keys, number, why) => {
      const session = drop(screen(80, 24).keys(...keys), number, lane);
      expect(session.writes).toEqual([]);
      expect(session.state.messages.notice?.text).toBe(why);
    },
  );

  test("changes nothing on a read-only daemon", () => {
    const session = screen(80, 24).keys(...OWNERS);
    session.tell({ type: "auth", quickClose: true, readOnly: "this daemon only reads" });
    expect(drop(session, 3, "bo").writes).toEqual([]);
    expect(session.state.messages.notice?.text).toBe("this daemon only reads");
  });

  test("asks for evidence if the daemon requires it for a close, and sends nothing until then", () => {
    const session = screen(80, 24).keys(...STATES);
    session.tell({ type: "auth", quickClose: false });
    expect(drop(session, 3, "Closed").writes).toEqual([]);
    expect(session.state.dialog).toMatchObject({
      dialog: "prompt",
      kind: "close",
      uids: [issue(3).uid],
    });
  });

  test("moves the other marked cards too if the dropped card is marked, and only the dropped card otherwise", () => {
    const marked = screen(80, 24).keys("space", "space", ...OWNERS);
    const [one = "", two = ""] = marked.state.marks;
    const { state } = marked;
    expect(issuesDraggedWith(state, one).map(({ uid }) => uid)).toEqual([one, two]);
    expect(issuesDraggedWith(state, issue(3).uid).map(({ uid }) => uid)).toEqual([issue(3).uid]);
    expect(sent(drop(marked, 3, "bo"))).toEqual([["assign", "k003", "bo"]]);
  });

  test("has an effect that is shown before the card is dropped", () => {
    const { state } = screen(80, 24).keys(...OWNERS);
    expect(checkCarry(state, [issue(4)], "bo")).toEqual({ does: "give to bo" });
    expect(checkCarry(state, [issue(4, { owner: "bo" })], "")).toEqual({ does: "clear the owner" });
    expect(checkCarry(state, [], "bo")).toEqual({ why: "its issue is not here any more" });
  });
});

describe("the key that asks for a lane", () => {
  test("offers the lanes that accept the issue, and carries it to the chosen one", () => {
    const session = screen(80, 24).keys(...OWNERS, "g", "left", "left", "left", ".");
    expect(session.state.dialog).toMatchObject({
      kind: "lane",
      choices: ["claude  give to claude", "codex  give to codex", "(nobody)  clear the owner"],
    });
    session.type("cod").keys("enter");
    expect(sent(session)).toEqual([["assign", "k005", "codex"]]);
  });

  test.each([
    ["(nobody)", ["unassign", "k005"]],
    ["claude", ["assign", "k005", "claude"]],
  ])("finds the lane %s by its name", (name, write) => {
    const session = screen(80, 24).keys(...OWNERS, "g", "left", "left", "left", ".");
    expect(sent(session.type(name).keys("enter"))).toEqual([write]);
  });

  test("closes an issue in the lanes by state, and refuses the name of an unknown lane", () => {
    const session = screen(80, 24).keys(...STATES, "left", ".");
    expect(session.state.dialog).toMatchObject({ choices: ["Closed 7d  close"] });
    session.type("nowhere").keys("enter");
    expect(session.writes).toEqual([]);
    expect(session.state.messages.notice?.text).toBe("no lane is called nowhere");
    session.keys(".", "enter");
    expect(sent(session)).toMatchObject([["close", expect.any(String)]]);
  });

  test("says that no other lane takes the issue if there is only one lane", () => {
    const session = screen(80, 24, [issue(1, { owner: "bo" })]).keys(...OWNERS, ".");
    expect(lanesOf(session.state).lanes).toHaveLength(1);
    expect(session.state.dialog).toBeUndefined();
    expect(session.state.messages.notice?.text).toBe("no other lane takes it");
  });
});
