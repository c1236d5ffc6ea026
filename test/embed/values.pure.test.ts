import { describe, expect, test } from "vitest";
import type { IssueFields, PeerIssueFields, ShowAnswer } from "../../web/embed/answers.ts";
import type { SvcIssueProperties } from "../../web/embed/given.ts";
import { referenceOf, valuesOf } from "../../web/embed/values.ts";

const how = {
  now: "2026-11-20T12:00:00.000Z",
  preferences: { times: "ago", zone: "UTC" },
} as const;

const peer = (id: string) => ({ uid: `uid-${id}`, qualified_id: `product#${id}` });
const issue: IssueFields = {
  ...peer("abc4"),
  ...{ title: "One", body: "", status: "open", author: "ann", labels: [], metadata: {} },
  ...{ created_at: "2026-11-19T12:00:00.000Z", updated_at: "2026-11-20T10:00:00.000Z" },
};
const show: ShowAnswer = { issue, comments: [], links: [], children: [] };
const blockedBy = (id: string) => ({ type: "blocks", from: peer(id), to: peer("abc4") });
const listed = (id: string, more: Partial<PeerIssueFields> = {}): PeerIssueFields => {
  return { ...peer(id), title: `Title ${id}`, status: "open", blocked: false, ...more };
};

describe("the state of an issue", () => {
  const links = [blockedBy("b")];
  test.each<readonly [string, ShowAnswer, readonly PeerIssueFields[] | undefined, object]>([
    ["open without links", show, undefined, { standing: "open", letter: "o", blockers: 0 }],
    [
      "open, with a blocker that was not given",
      { ...show, links },
      undefined,
      { standing: "open", letter: "o", blockers: 1 },
    ],
    [
      "open, with an open blocker",
      { ...show, links },
      [listed("b")],
      { standing: "blocked", letter: "b", blockers: 1 },
    ],
    [
      "open, with a closed blocker",
      { ...show, links },
      [listed("b", { status: "closed" })],
      { standing: "open", letter: "o", blockers: 0 },
    ],
    [
      "closed, with an open blocker",
      { ...show, links, issue: { ...issue, status: "closed" } },
      [listed("b")],
      { standing: "open", letter: "x", blockers: 0 },
    ],
  ])("%s", (_what, given, issues, expected) => {
    const peers = issues && { issues };
    const { standing, shown } = valuesOf({ issue: given, peers }, how);
    expect({ standing, letter: shown.letter, blockers: shown.blockers.length }).toEqual(expected);
  });
});

test("linked issues have the titles that peers, parent and children say, and else none", () => {
  const child = { ...listed("c"), blocked: true };
  const { titleOf, letterOf, children } = valuesOf(
    {
      issue: { ...show, links: [blockedBy("b")], parent: listed("p"), children: [child] },
      peers: { issues: [listed("b", { status: "closed" })] },
    },
    how,
  );
  expect(["b", "p", "c", "z"].map((id) => titleOf(`uid-${id}`))).toEqual([
    "Title b",
    "Title p",
    "Title c",
    undefined,
  ]);
  expect([letterOf("uid-b"), letterOf("uid-z")]).toEqual(["x", "?"]);
  expect(children.map(({ is }) => is)).toEqual(["blocked"]);
});

describe("comments", () => {
  const comment = (uid: string) => {
    return { uid, author: "bo", body: uid, created_at: "2026-11-20T10:00:00.000Z" };
  };
  test.each<readonly [string, SvcIssueProperties, readonly string[], number]>([
    ["of the issue", {}, ["a"], 3],
    ["given apart", { comments: { comments: ["a", "b"].map(comment) } }, ["a", "b"], 3],
    ["none", { comments: { comments: [] } }, [], 3],
    [
      "more than the issue says",
      { comments: { comments: ["a", "b", "c", "d"].map(comment) } },
      ["a", "b", "c", "d"],
      4,
    ],
  ])("%s", (_what, more, uids, count) => {
    const answer: ShowAnswer = { ...show, comments: [comment("a")], comment_count: 3 };
    const { comments, commentCount } = valuesOf({ ...more, issue: answer }, how);
    expect([comments.map(({ uid }) => uid), commentCount]).toEqual([uids, count]);
  });

  test("say when they were edited if the events were given", () => {
    const edit = {
      ...{ event_uid: "e", type: "issue.comment_edited", actor: "bo" },
      ...{ payload: { comment_uid: "a" }, created_at: "2026-11-20T11:00:00.000Z" },
    };
    const answer: ShowAnswer = { ...show, comments: [comment("a")] };
    const edited = (events?: SvcIssueProperties["events"]) =>
      valuesOf({ issue: answer, events }, how).comments[0]?.edited_at;
    expect([edited(), edited({ events: [edit] })]).toEqual([undefined, edit.created_at]);
  });
});

test.each([
  ["uid-b", { uid: "uid-b", name: "product#b" }],
  ["product#b", { uid: "uid-b", name: "product#b" }],
  ["product#c", { uid: "uid-c", name: "product#c" }],
  ["product#p", { uid: "uid-p", name: "product#p" }],
  ["product#abc4", { uid: "uid-abc4", name: "product#abc4" }],
  ["other#none", { name: "other#none" }],
])("a click on %s asks for the issue %j", (ref, reference) => {
  const answer: ShowAnswer = {
    ...show,
    links: [blockedBy("b")],
    parent: listed("p"),
    children: [listed("c")],
  };
  expect(referenceOf({ issue: answer }, ref)).toEqual(reference);
});
