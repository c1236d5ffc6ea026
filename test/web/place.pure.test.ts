import { expect, test } from "vitest";
import type { Place } from "../../src/screen/place/place.ts";
import { entryOf, HOME, historyStep, issueUrls, placeIn, urlOf } from "../../web/place.ts";

const UID = "01JD3T9K6Q2Z0W4B7N8M5X1Y2C";
const OTHER = "01JD3T9K6Q2Z0W4B7N8M5X1Y2D";

const PLACES: readonly (readonly [url: string, place: Partial<Place>])[] = [
  ["/svc", {}],
  ["/svc?screen=inbox", { screen: "inbox" }],
  ["/svc?screen=cron&tab=series", { screen: "cron", tab: "series" }],
  ["/svc?project=big+plan", { project: "big plan" }],
  ["/svc?filter=status%3Aall+owner%3A%22a+b%22", { query: 'status:all owner:"a b"' }],
  ["/svc?filter=", { query: "" }],
  ["/svc?view=states&order=-due", { view: "states", order: "-due" }],
  [`/svc?issue=${UID}`, { issue: UID }],
  ["/svc?issue=abc4", { issue: "abc4" }],
  ["/svc?issue=plan%23abc4", { issue: "plan#abc4" }],
  ["/svc?screen=graph", { screen: "graph" }],
  [`/svc?screen=graph&source=${UID}`, { screen: "graph", source: UID }],
  [`/svc?screen=graph&source=${UID}&issue=${UID}`, { screen: "graph", source: UID, issue: UID }],
  [`/svc?screen=fleet&project=p%26q&issue=${UID}`, { screen: "fleet", project: "p&q", issue: UID }],
];

test.each(PLACES)("%s is the address of %j", (url, place) => {
  const there = { ...HOME, ...place, isOpen: place.issue !== undefined };
  expect(urlOf(there)).toBe(url);
  expect(placeIn(new URL(url, "http://x"))).toEqual(there);
});

test.each([
  ["?screen=kitchen&view=round&order=sideways", {}],
  ["?screen=cron&tab=kitchen", { screen: "cron" }],
  ["?issue=", {}],
  ["?issue=%20", {}],
  ["?issue=%20abc4%20", { issue: "abc4" }],
  [`?issue=${UID}X`, { issue: `${UID}X` }],
  [`?issue=${UID}#direct=1`, { issue: UID }],
  [`?issue=${UID}#list`, { issue: UID }],
  ["?issue=abc4#direct=1", { issue: "abc4" }],
  ["?issue=abc4#list", { issue: "abc4" }],
  ["?issue=plan#abc4", { issue: "plan#abc4" }],
  ["?issue=plan%23abc4#xyz1", { issue: "plan#abc4" }],
  ["?screen=graph&source=abc4", { screen: "graph" }],
  [`?screen=graph&source=${UID.toLowerCase()}`, { screen: "graph", source: UID }],
  [`?source=${UID}`, {}],
  [`?issue=${UID.toLowerCase()}`, { issue: UID }],
  ["?unknown=1", {}],
])("the address %s, which is partly wrong, still opens a place", (search, place) => {
  const isOpen = "issue" in place;
  expect(placeIn(new URL(search, "http://x/svc"))).toEqual({ ...HOME, ...place, isOpen });
});

const MOVES = { opens: false, isNamedView: false };
const OPENS = { opens: true, isNamedView: false };
const NAMED = { opens: false, isNamedView: true };
const open = (issue: string): Partial<Place> => ({ issue, isOpen: true });

test.each<[from: Partial<Place>, to: Partial<Place>, step: string, how: typeof MOVES]>([
  [{}, { query: "status:all" }, "replace", MOVES],
  [{}, { query: "status:open date:today" }, "push", NAMED],
  [{}, { view: "flat" }, "replace", NAMED],
  [{}, open(UID), "push", OPENS],
  [{}, { issue: UID }, "replace", MOVES],
  [{ issue: OTHER }, { issue: UID }, "replace", MOVES],
  [{ issue: OTHER }, { issue: UID }, "push", OPENS],
  [{ issue: UID }, open(UID), "push", OPENS],
  [{ issue: UID }, open(UID), "replace", MOVES],
  [open(UID), { issue: UID }, "replace", MOVES],
  [open(UID), { issue: OTHER }, "push", MOVES],
  [open("abc4"), open(UID), "replace", MOVES],
  [open("abc4"), {}, "push", MOVES],
  [open("abc4"), open("plan#abc4"), "push", OPENS],
  [open(UID), open("abc4"), "push", OPENS],
  [{ screen: "graph" }, { screen: "graph", source: UID }, "replace", MOVES],
  [{ screen: "graph", source: OTHER }, { screen: "graph", source: UID }, "push", MOVES],
  [{ screen: "graph", source: UID }, {}, "push", MOVES],
  [{}, { screen: "inbox" }, "push", MOVES],
  [{ screen: "cron" }, { screen: "cron", tab: "series" }, "push", MOVES],
  [{ project: "a" }, { project: "b" }, "push", MOVES],
])("a move from %j to %j changes the history by %s: %j", (from, to, step, how) => {
  expect(historyStep({ ...HOME, ...from }, { ...HOME, ...to }, how)).toBe(step);
});

test("an issue under the cursor is not opened when its history entry is shown again", () => {
  const url = new URL(`/svc?issue=${UID}`, "http://x");
  const beside = { ...HOME, issue: UID };
  expect(placeIn(url, entryOf(beside))).toEqual(beside);
  expect(placeIn(url, entryOf({ ...beside, isOpen: true }))).toMatchObject({ isOpen: true });
  expect(placeIn(url, { made: "elsewhere" })).toMatchObject({ isOpen: true });
});

test.each(PLACES)(
  "the address of an issue, made at %s, leads to the same place with the issue open",
  (_url, place) => {
    const here = { ...HOME, ...place };
    expect(placeIn(new URL(issueUrls(here)(UID), "http://x"))).toEqual({
      ...here,
      ...open(UID),
    });
  },
);
