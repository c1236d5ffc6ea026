import { expect, test } from "vitest";
import { HOME, type Place } from "../../src/screen/place/place.ts";
import { historyStep, issueUrls, placeIn, urlOf } from "../../web/place.ts";

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
  expect(urlOf({ ...HOME, ...place })).toBe(url);
  expect(placeIn(new URL(url, "http://x"))).toEqual({ ...HOME, ...place });
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
])("%s, which is partly wrong, still leads somewhere", (search, place) => {
  expect(placeIn(new URL(search, "http://x/svc"))).toEqual({ ...HOME, ...place });
});

test.each([
  [{}, {}, "none", false],
  [{}, { query: "status:all" }, "replace", false],
  [{}, { query: "status:open date:today" }, "push", true],
  [{}, { view: "flat" }, "replace", true],
  [{}, { issue: UID }, "push", false],
  [{ issue: "abc4" }, { issue: UID }, "replace", false],
  [{ issue: "abc4" }, {}, "push", false],
  [{ issue: "abc4" }, { issue: "plan#abc4" }, "push", false],
  [{ issue: UID }, { issue: "abc4" }, "push", false],
  [{ screen: "graph" }, { screen: "graph", source: UID }, "replace", false],
  [{ screen: "graph", source: OTHER }, { screen: "graph", source: UID }, "push", false],
  [{ screen: "graph", source: UID }, {}, "push", false],
  [{}, { screen: "inbox" }, "push", false],
  [{ screen: "cron" }, { screen: "cron", tab: "series" }, "push", false],
  [{ project: "a" }, { project: "b" }, "push", false],
] as const)(
  "from %j to %j the history is changed by %s (named view: %s)",
  (from, to, step, named) => {
    expect(historyStep({ ...HOME, ...from }, { ...HOME, ...to }, named)).toBe(step);
  },
);

test.each(PLACES)(
  "the address of an issue at %s is that of the place with the issue",
  (_url, place) => {
    const here = { ...HOME, ...place };
    expect(placeIn(new URL(issueUrls(here)(UID), "http://x"))).toEqual({
      ...here,
      issue: UID,
    });
  },
);
