import { expect, test } from "vitest";
import type { EventDraft, Payload } from "../../../src/contract/events.ts";
import { issueCreated } from "../../../src/domain/drafts/issues.ts";
import { linksChanged } from "../../../src/domain/drafts/links.ts";
import { linksByOwner, newLinksByOwner } from "../../../src/domain/federation/link-owners.ts";
import type { Peer } from "../../../src/domain/links.ts";

const NOW = "2026-01-01T00:00:00.000Z";
const act = { actor: "ann", now: NOW };
const peer = (uid: string): Peer => ({
  ...{ uid, short_id: uid.toLowerCase(), project_uid: uid.slice(0, 1) },
  ...{ project_name: uid.slice(0, 1).toLowerCase(), project_archived: false },
});
/** Uids sort as they are written: P1 is smaller than P5, and P5 than Q1. */
const [P1, P5, P9, Q1] = [peer("P1"), peer("P5"), peer("P9"), peer("Q1")];
const O1 = peer("O1");

type Changes = Omit<Payload<"issue.links_changed">, "updated_at">;

const split = (changes: Changes, federated: readonly string[] = ["P"]) =>
  linksByOwner(linksChanged(P5, changes, act), {
    ...{ subject: P5, peers: [P1, P9, Q1, O1], federated: new Set(federated) },
  }).map(shown);

const shown = ({ issue_uid, project_uid, payload }: EventDraft) => {
  const { updated_at: _, ...changes } = payload as Record<string, unknown>;
  return { [`${project_uid} ${issue_uid}`]: changes };
};

const blocksQ1 = { blocks_added: ["q#q1"], blocks_added_uids: ["Q1"] };
const blockedByQ1 = { blocked_by_added: ["q#q1"], blocked_by_added_uids: ["Q1"] };
const blockedByP1 = { blocked_by_added: ["p1"], blocked_by_added_uids: ["P1"] };
const parentQ1 = { parent_set: "q#q1", parent_set_uid: "Q1" };
const relatedO1 = { related_removed: ["o#o1"], related_removed_uids: ["O1"] };
const relatedQ1 = { related_removed: ["q#q1"], related_removed_uids: ["Q1"] };
const fromQ1 = { blocks_added: ["p#p5"], blocks_added_uids: ["P5"] };

test.each([
  ["a blocker stores its link to the blocked issue", blocksQ1, [{ "P P5": blocksQ1 }]],
  ["a blocker of another project, which gets the event", blockedByQ1, [{ "Q Q1": fromQ1 }]],
  ["a blocker of the same project, which gets no event", blockedByP1, [{ "P P5": blockedByP1 }]],
  ["a child stores its link to the parent", parentQ1, [{ "P P5": parentQ1 }]],
  [
    "the related issue with the smaller uid, here the edited one",
    relatedQ1,
    [{ "P P5": relatedQ1 }],
  ],
  [
    "the related issue with the smaller uid, here the other one",
    relatedO1,
    [{ "O O1": { related_removed: ["p#p5"], related_removed_uids: ["P5"] } }],
  ],
  [
    "the other changes of an edit stay in one event",
    {
      ...parentQ1,
      blocked_by_added: ["p1", "q#q1"],
      blocked_by_added_uids: ["P1", "Q1"],
    },
    [{ "P P5": { ...parentQ1, ...blockedByP1 } }, { "Q Q1": fromQ1 }],
  ],
])(
  "the event of a changed link goes to the issue that stores the link: %s",
  (_, changes: Changes, expected) => {
    expect(split(changes)).toEqual(expected);
  },
);

test("an event of a link is split if one of the two projects is federated, and stays whole if neither is", () => {
  expect(split(blockedByQ1, ["Q"])).toEqual([{ "Q Q1": fromQ1 }]);
  expect(split(blockedByQ1, ["R"])).toEqual([{ "P P5": blockedByQ1 }]);
});

test("the part of an event that goes to another issue keeps author, time, and the marks of an undo or an import", () => {
  const made = { author: "bea", created_at: "2025-01-01T00:00:00.000Z" };
  const undo = { batch_uid: "B", events: ["E"] };
  const draft = linksChanged(P5, { ...blockedByQ1, ...made }, { ...act, import: "I", undo });
  const places = { subject: P5, peers: [Q1], federated: new Set(["P"]) };
  expect(linksByOwner(draft, places)).toEqual([
    {
      ...{ type: "issue.links_changed", actor: "ann", issue_uid: "Q1", project_uid: "Q" },
      payload: { ...fromQ1, ...made, import: "I", undo, updated_at: NOW },
    },
  ]);
});

test("the event of a new issue keeps only links that the issue stores or that lead to its own project", () => {
  const link = (type: "blocks" | "related" | "parent", to: Peer, incoming?: true) => ({
    ...{ type, to_issue_uid: to.uid, to_short_id: to.short_id, author: "bea" },
    ...(incoming === undefined ? {} : { incoming }),
  });
  const own = [
    link("parent", Q1),
    link("blocks", Q1),
    link("related", Q1),
    link("blocks", P1, true),
  ];
  const draft = issueCreated(
    {
      ...{ uid: "P5", short_id: "p5", project_uid: "P", title: "new", author: "ann" },
      links: [...own, link("blocks", O1, true), link("related", O1)],
    },
    act,
  );
  const peers = [P1, Q1, O1];
  const places = { subject: P5, peers, federated: new Set(["P"]) };
  const [creation, ...others] = newLinksByOwner(draft, places);
  expect(creation).toEqual({ ...draft, payload: { ...draft.payload, links: own } });
  expect(others.map(shown)).toEqual([
    { "O O1": { author: "bea", blocks_added: ["p#p5"], blocks_added_uids: ["P5"] } },
    { "O O1": { author: "bea", related_added: ["p#p5"], related_added_uids: ["P5"] } },
  ]);
  expect(newLinksByOwner(draft, { ...places, federated: new Set() })).toEqual([draft]);
});
