import { describe, expect, test } from "vitest";
import { SvcError } from "../../src/contract/errors.ts";
import {
  type CurrentLinks,
  checkLink,
  decideLinks,
  endsOf,
  type LinkRequest,
  type LinksDelta,
  type Peer,
  refOf,
} from "../../src/domain/links.ts";

function peer(uid: string, fields: Partial<Peer> = {}): Peer {
  return {
    uid,
    short_id: uid.toLowerCase(),
    project_uid: "P",
    project_name: "web",
    project_archived: false,
    ...fields,
  };
}

const NONE = { blocks: [], blocked_by: [], related: [] };
const SUBJECT = { uid: "M", project_uid: "P" };

function current(parent: Peer | undefined, ...keys: readonly string[]): CurrentLinks {
  return {
    parent,
    has: ({ from_uid, type, to_uid }) => keys.includes(`${from_uid} ${type} ${to_uid}`),
  };
}

function decide(now: CurrentLinks, delta: Partial<LinksDelta>, ancestors: readonly string[] = []) {
  return decideLinks(SUBJECT, now, { add: NONE, remove: NONE, ...delta }, ancestors);
}

function codeOf(run: () => unknown): string {
  try {
    run();
    return "none";
  } catch (error) {
    if (error instanceof SvcError) return error.code;
    throw error;
  }
}

describe("a new link", () => {
  test.each<[string, LinkRequest, readonly string[], string]>([
    ["a parent", { type: "parent", peer: peer("A") }, ["B", "C"], "none"],
    ["a parent below the issue", { type: "parent", peer: peer("A") }, ["B", "M"], "validation"],
    ["an incoming parent", { type: "parent", peer: peer("A"), incoming: true }, [], "validation"],
    ["the issue itself", { type: "related", peer: peer("M") }, [], "validation"],
    [
      "a blocker whose ancestor is the issue",
      { type: "blocks", peer: peer("A"), incoming: true },
      ["M"],
      "none",
    ],
    [
      "an issue of an archived project",
      { type: "blocks", peer: peer("A", { project_archived: true }) },
      [],
      "link_target_archived",
    ],
  ])(
    "whether a new link to %s is allowed depends on the linked issue and its ancestors",
    (_name, wish, ancestors, code) => {
      expect(codeOf(() => checkLink(SUBJECT.uid, wish, ancestors))).toBe(code);
    },
  );

  test.each<[Omit<LinkRequest, "peer">, string, string]>([
    [{ type: "parent" }, "Z", "M parent Z"],
    [{ type: "blocks" }, "A", "M blocks A"],
    [{ type: "blocks", incoming: true }, "A", "A blocks M"],
    [{ type: "related" }, "Z", "M related Z"],
    [{ type: "related" }, "A", "A related M"],
    [{ type: "related", incoming: true }, "Z", "M related Z"],
  ])("the new link %j to %s is stored as %s", (wish, uid, key) => {
    const { from_uid, type, to_uid } = endsOf(SUBJECT.uid, { ...wish, peer: peer(uid) });
    expect(`${from_uid} ${type} ${to_uid}`).toBe(key);
  });
});

describe("changes to the links of an issue", () => {
  test("name issues of other projects by their qualified id, and each issue once", () => {
    const far = peer("F", { project_uid: "Q", project_name: "shop" });
    const decided = decide(current(undefined), { add: { ...NONE, blocks: [far, peer("A"), far] } });
    expect(decided).toEqual({
      payload: { blocks_added: ["shop#f", "a"], blocks_added_uids: ["F", "A"] },
      changes: { blocks_added: [far, peer("A")] },
    });
    expect(refOf("Q", far)).toBe("f");
  });

  test("report the old parent when a new parent replaces it", () => {
    expect(decide(current(peer("A")), { set_parent: peer("B") })).toMatchObject({
      payload: {
        parent_set: "b",
        parent_set_uid: "B",
        parent_removed: "a",
        parent_removed_uid: "A",
      },
    });
    expect(decide(current(undefined), { set_parent: peer("B") })).toEqual({
      payload: { parent_set: "b", parent_set_uid: "B" },
      changes: { parent_set: peer("B") },
    });
    expect(decide(current(peer("A")), { remove_parent: peer("A") })).toMatchObject({
      payload: { parent_removed_uid: "A" },
    });
  });

  test.each<[string, CurrentLinks, Partial<LinksDelta>]>([
    ["no changes", current(peer("A")), {}],
    ["the present parent", current(peer("A")), { set_parent: peer("A") }],
    [
      "the present parent, archived since",
      current(peer("A")),
      { set_parent: peer("A", { project_archived: true }) },
    ],
    [
      "links that exist",
      current(undefined, "M blocks A", "B blocks M"),
      { add: { ...NONE, blocks: [peer("A")], blocked_by: [peer("B")] } },
    ],
    [
      "links that do not exist",
      current(undefined, "M blocks A"),
      { remove: { ...NONE, blocked_by: [peer("A")], related: [peer("A")] } },
    ],
  ])("are empty for a request with %s", (_name, now, delta) => {
    expect(decide(now, delta)).toBe("unchanged");
  });

  test.each<[string, CurrentLinks, Partial<LinksDelta>, string]>([
    [
      "the removal of a parent that the issue does not have",
      current(peer("A")),
      { remove_parent: peer("B") },
      "parent_mismatch",
    ],
    [
      "the removal of a parent where there is none",
      current(undefined),
      { remove_parent: peer("B") },
      "parent_mismatch",
    ],
    [
      "a parent both set and removed",
      current(peer("A")),
      { set_parent: peer("B"), remove_parent: peer("A") },
      "validation",
    ],
    [
      "a link both added and removed",
      current(undefined),
      { add: { ...NONE, related: [peer("A")] }, remove: { ...NONE, related: [peer("A")] } },
      "validation",
    ],
    [
      "a link to the issue itself",
      current(undefined),
      { add: { ...NONE, blocked_by: [peer("M")] } },
      "validation",
    ],
    [
      "a new link to an issue of an archived project",
      current(undefined),
      { add: { ...NONE, blocks: [peer("A", { project_archived: true })] } },
      "link_target_archived",
    ],
  ])("are refused for a request with %s", (_name, now, delta, code) => {
    expect(codeOf(() => decide(now, delta))).toBe(code);
  });

  test("are refused when the new parent is below the issue", () => {
    expect(codeOf(() => decide(current(undefined), { set_parent: peer("B") }, ["A", "M"]))).toBe(
      "validation",
    );
  });

  test("may remove a link to an issue of an archived project, and may reverse a link in one step", () => {
    const old = peer("A", { project_archived: true });
    expect(
      decide(current(undefined, "M blocks A"), { remove: { ...NONE, blocks: [old] } }),
    ).toMatchObject({
      payload: { blocks_removed_uids: ["A"] },
    });
    const turned = decide(current(undefined, "M blocks A"), {
      add: { ...NONE, blocked_by: [peer("A")] },
      remove: { ...NONE, blocks: [peer("A")] },
    });
    expect(turned).toMatchObject({
      payload: { blocked_by_added_uids: ["A"], blocks_removed_uids: ["A"] },
    });
  });
});
