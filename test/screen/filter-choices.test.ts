import { expect, test } from "vitest";
import { filterChoices, hasValues } from "../../src/screen/board/filter-choices.ts";
import { loadingNote } from "../../src/screen/loading/note.ts";
import { issue, type Session, screen } from "../tui/support.ts";

const ISSUES = [
  issue(1, { owner: "ana", labels: ["api"], author: "bo" }),
  issue(2, { owner: "ana", labels: ["api", "ui"] }),
  issue(3, { owner: "cy two", status: "closed" }),
];

function filtered(query: string): Session {
  const session = screen(80, 24, ISSUES);
  session.tell({ type: "chosen", place: { is: "query", query }, spot: "query" });
  return session;
}

test.each<[string, readonly (readonly [name: string, count: number | undefined])[]]>([
  [
    "status:open",
    [
      ["open", 2],
      ["ready", 2],
      ["blocked", 0],
      ["waiting", 0],
      ["closed", 1],
      ["all", 3],
    ],
  ],
  [
    "owner:bo",
    [
      ["nobody", 0],
      ["ana", 2],
      ["cy two", 0],
    ],
  ],
  [
    "-label:ui",
    [
      ["api", 2],
      ["ui", 1],
    ],
  ],
  [
    "author:bo",
    [
      ["ana", undefined],
      ["bo", undefined],
    ],
  ],
  [
    "project:x",
    [
      ["product", undefined],
      ["infra", undefined],
    ],
  ],
  ["word", []],
  ["meta.key=value", []],
])("the choices for the filter part %s are %j", (part, wanted) => {
  const choices = filterChoices(filtered(part).state, part);
  expect(choices.map(({ name, count }) => [name, count])).toEqual(wanted);
  expect(hasValues(part)).toBe(wanted.length > 0);
});

test("a chosen value replaces only the value of its own part of the filter", () => {
  const { state } = filtered('status:open owner:ana label:api p<=1 "two words"');
  const [nobody, ana, cy] = filterChoices(state, "owner:ana");
  expect([nobody?.isOn, ana?.isOn, cy?.isOn]).toEqual([false, true, false]);
  expect(cy?.query).toBe('status:open owner:"cy two" label:api p<=1 "two words"');
  expect(nobody?.query).toContain("owner:none");
  const levels = filterChoices(state, "p<=1");
  expect(levels.find(({ isOn }) => isOn)?.name).toBe("P1 and more urgent");
  expect(levels[0]?.query).toBe('status:open owner:ana label:api p:0 "two words"');
});

test("the board says that issues are still being loaded, or that there are too many", () => {
  const session = screen(80, 24, ISSUES);
  expect(loadingNote(session.state)).toBeUndefined();
  const { loading } = session.state;
  expect(loadingNote({ loading: { ...loading, stage: "rest" } })).toBe("loading the rest...");
  expect(loadingNote({ loading: { ...loading, truncated: true } })).toContain("first 20,000");
});
