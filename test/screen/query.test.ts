import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boardRows } from "../../src/screen/board/board.ts";
import {
  parseQuery,
  partsOf,
  problemOf,
  togglePart,
  unknownNameIn,
  withStatus,
} from "../../src/screen/issues/query.ts";
import { issue, screen } from "../tui/support.ts";

describe("a filter", () => {
  test.each([
    ["", { status: "open", words: [] }],
    ["status:CLOSED Crash", { status: "closed", words: ["crash"] }],
    ["status:none", { status: "open" }],
    ["status:closed status:", { status: "closed" }],
    ['owner:"Ana Maria" author:bo', { owner: "ana maria", author: "bo" }],
    ["owner:", { owner: undefined, words: [] }],
    [
      "project:web label:api -label:wip",
      { project: "web", labels: ["api"], withoutLabels: ["wip"] },
    ],
    ["date:Today", { date: "today" }],
    ["date:tomorrow", { date: undefined, words: [] }],
    ["rel:Blocked_by", { relation: "blocked_by" }],
    ["rel:parent rel:child", { relation: "child" }],
    ["rel:cousin", { relation: undefined, words: [] }],
    ["p1", { priority: { most: 1, least: 1 } }],
    ["p<=1", { priority: { most: 0, least: 1 } }],
    ["p>=3", { priority: { most: 3, least: 4 } }],
    ["priority:3", { priority: { most: 3, least: 3 } }],
    ["priority3", { priority: undefined, words: ["priority3"] }],
    ["p:5", { priority: undefined, words: ["p:5"] }],
    ["meta.branch=Main meta.pr", { metadata: [{ key: "branch", value: "main" }, { key: "pr" }] }],
    ['"exit code" 1', { words: ["exit code", "1"] }],
    ['"label:x" a:b', { words: ["label:x", "a:b"], labels: [] }],
    ['crash "unfinished phr', { words: ["crash", "unfinished phr"] }],
  ])("with the text %j means %j", (text, meant) => {
    expect(parseQuery(text)).toMatchObject(meant);
  });

  test.each([
    ["status:opne", "status is one of open, ready, blocked, waiting, closed, all"],
    ["status:Open", undefined],
    ["status:", undefined],
    ["date:tomorrow", "date is one of today, upcoming, deadlines"],
    ["date:Deadlines", undefined],
    ["rel:cousin", "rel is one of parent, child, blocks, blocked_by, related"],
    ["rel:Blocks", undefined],
    ["label:anything", undefined],
    ["p:4", undefined],
    ["p:5", "a priority is 0 to 4, as in p<=1"],
    ["priority:high", "a priority is 0 to 4, as in p<=1"],
    ["p:", undefined],
    ["priority", undefined],
  ])("with the part %j has the problem %j", (part, problem) => {
    expect(problemOf(part)).toBe(problem);
  });

  test.each([
    ["status:open ownr:ana", "ownr"],
    ["crash -lable:wip", "-lable"],
    ["owner:ana crash", undefined],
    ['"ownr:ana"', undefined],
    ["error:", undefined],
    ["p:5", undefined],
  ])("with the text %j has the unknown name %j", (text, name) => {
    expect(unknownNameIn(text)).toBe(name);
  });

  test("gains or loses a toggled part, and has at most one owner, one date and one relation", () => {
    expect(togglePart("status:open", "label:api")).toBe("status:open label:api");
    expect(togglePart("status:open label:API crash", "label:api")).toBe("status:open crash");
    expect(togglePart("owner:bo label:api", "owner:ana")).toBe("label:api owner:ana");
    expect(togglePart("date:today p1", "date:upcoming")).toBe("p1 date:upcoming");
    expect(togglePart("rel:blocks p1", "rel:child")).toBe("p1 rel:child");
    expect(togglePart("label:a", "label:b")).toBe("label:a label:b");
    expect(withStatus('owner:"a b" status:open x', "all")).toBe('status:all owner:"a b" x');
  });
});

test.each([
  ["parent", ["k002"]],
  ["child", ["k001"]],
  ["blocks", ["k003"]],
  ["blocked_by", ["k004"]],
  ["related", ["k005", "k006"]],
])("the filter rel:%s finds the issues with such a link", (relation, wanted) => {
  const uid = (number: number): string => issue(number).uid;
  const session = screen(100, 24, [
    issue(1, { child_counts: { open: 1, total: 1 } }),
    issue(2, { parent: uid(1) }),
    issue(3, { blocks: [uid(4)] }),
    issue(4, { blocked_by: [uid(3)] }),
    issue(5, { related: [uid(6)] }),
    issue(6, { related: [uid(5)] }),
  ]);
  const query = `rel:${relation}`;
  session.tell({ type: "chosen", place: { is: "query", query }, spot: "query" });
  const found = boardRows(session.state).filter(({ context }) => !context);
  expect(found.map((row) => row.issue.short_id).toSorted()).toEqual(wanted);
});

describe("the filter as a form", () => {
  const field = fc.constantFrom(
    ...["status:ready", "owner:ana", 'owner:"a b"', "author:bo", "label:api", "-label:wip"],
    ...[
      "p:2",
      "p<=1",
      "p>=3",
      "p4",
      "project:web",
      "date:today",
      "rel:blocks",
      "meta.a=b",
      "crash",
      '"two words"',
      "a:b",
    ],
  );

  test("a form that is applied without a change gives the same filter", () => {
    fc.assert(
      fc.property(fc.uniqueArray(field, { maxLength: 8 }), (parts) => {
        const query = parts.join(" ");
        const session = screen(80, 24).keys("/").fill(query).keys("enter");
        session.state = { ...session.state, board: { ...session.state.board, query } };
        session.keys("f", "enter");
        const meant = (text: string) => {
          const { words, metadata, ...rest } = parseQuery(text);
          return {
            ...rest,
            words: new Set(words),
            metadata: new Set(metadata.map(({ key }) => key)),
          };
        };
        expect(meant(session.state.board.query)).toEqual(meant(query));
      }),
    );
  });

  test("writes a query that a person could also type", () => {
    const session = screen(80, 24).keys("f", "right", "tab").type("ana maria").keys("tab", "tab");
    session.type("daemon").keys("tab").type("bug, -wip").keys("tab").type("<=1").keys("enter");
    const { board, dialog } = session.state;
    expect(dialog).toBeUndefined();
    expect(board.query).toBe('status:ready owner:"ana maria" label:bug -label:wip p<=1 daemon');
    expect(partsOf(board.query)).toHaveLength(6);
  });

  test("refuses an unknown priority, and keeps what was typed", () => {
    const session = screen(80, 24).keys("f", "tab", "tab", "tab", "tab", "tab").type("9");
    session.keys("enter");
    expect(session.state.dialog).toMatchObject({ error: "the priority is 0 to 4, or <=1, or >=3" });
    session.keys("backspace").type("4").keys("enter");
    expect(session.state.board.query).toBe("status:open p:4");
  });

  test("clears a field with ctrl+u, all of them with ctrl+r, and esc changes nothing", () => {
    const session = screen(80, 24).keys("/").type("owner:bo crash").keys("enter");
    session.keys("f", "tab", "ctrl+u", "enter");
    expect(session.state.board.query).toBe("status:open crash");
    session.keys("f", "right", "ctrl+r", "esc");
    expect(session.state.board.query).toBe("status:open crash");
    session.keys("f", "right", "ctrl+u", "enter");
    expect(session.state.board.query).toBe("status:open crash");
    session.keys("f", "ctrl+r", "enter");
    expect(session.state.board.query).toBe("status:open");
  });
});
