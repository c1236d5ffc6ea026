import { expect, test } from "vitest";
import { initialLinks, linksDelta } from "../../src/shared/links.ts";

const BAD = "no reference to an issue";

test("links of a new issue say whether the new issue is their start or their end", () => {
  expect(initialLinks({ parent: "a", blocks: ["b"], blocked_by: ["c"], related: ["d"] })).toEqual([
    { type: "parent", to_ref: "a" },
    { type: "blocks", to_ref: "b" },
    { type: "blocks", to_ref: "c", incoming: true },
    { type: "related", to_ref: "d" },
  ]);
  expect(initialLinks({})).toBeUndefined();
  expect(() => initialLinks({ related: ["12"] })).toThrow(BAD);
});

test("a change of links names what was added and what was removed", () => {
  expect(linksDelta({ parent: "a", blocks: ["b"] }, { blocked_by: ["c"] })).toMatchObject({
    set_parent: "a",
    add_blocks: ["b"],
    remove_blocked_by: ["c"],
  });
  expect(linksDelta({}, {})).toBeUndefined();
  expect(() => linksDelta({}, { parent: "a b" })).toThrow(BAD);
});
