import { describe, expect, test } from "vitest";
import { circlesIn } from "../../src/domain/circles.ts";

/** `a>b`: a blocks b. `a^b`: a is a child of b. */
function linksOf(text: string) {
  const links = text.split(" ").filter((part) => part !== "");
  const of = (mark: string) =>
    links.flatMap((link) => {
      const [from_uid = "", to_uid] = link.split(mark);
      return to_uid === undefined ? [] : [{ from_uid, to_uid }];
    });
  return { blocks: of(">"), parents: of("^") };
}

function found(text: string, start?: string): readonly string[] {
  return circlesIn(linksOf(text), start).map(
    ({ uids, link }) => `${uids.join(" ")}: ${link.blocker}>${link.blocked}`,
  );
}

describe("a circle of issues that wait for each other", () => {
  test.each([
    ["two blockers", "A>B B>A", ["A B: B>A"]],
    ["three blockers", "A>B B>C C>A", ["A C B: C>A"]],
    ["a child that its parent blocks", "A>B B^A", ["A B: A>B"]],
    ["a child that blocks its parent", "B>A B^A", ["B A: B>A"]],
    ["a grandchild that blocks its grandparent", "C>A B^A C^B", ["C B A: C>A"]],
    ["a child of a parent that waits for another child's blocker", "A>C B^A C^B", ["A B C: A>C"]],
    ["two circles", "A>B B>A C>D D>C", ["A B: B>A", "C D: D>C"]],
  ])("a circle is found: %s", (_what, links, circles) => {
    expect([...found(links)].sort()).toEqual(circles);
  });

  test.each([
    ["a chain", "A>B B>C"],
    ["two paths to the same issue", "A>B B>D A>C C>D"],
    ["a parent and its children", "B^A C^A B>C"],
    ["a blocked parent", "C>A B^A"],
    ["no links", ""],
  ])("no circle is found in %s", (_what, links) => {
    expect(found(links)).toEqual([]);
  });

  test("a circle is listed beginning with the issue that the question is about", () => {
    expect(found("A>B B>C C>A", "C")).toEqual(["C B A: B>C"]);
  });

  test("the circle that is found is the shortest of those through the same issues", () => {
    expect(found("A>B B>C C>A B>A", "A")).toEqual(["A B: B>A"]);
  });

  test("a circle of ten thousand issues is found without recursion", () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `N${String(at).padStart(5, "0")}`);
    const blocks = names.map((from_uid, at) => ({
      from_uid,
      to_uid: names[(at + 1) % names.length] ?? "",
    }));
    expect(circlesIn({ blocks, parents: [] })[0]?.uids).toHaveLength(10_000);
  });
});
