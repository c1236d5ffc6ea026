import { expect, test } from "vitest";
import { HOME, type Place } from "../../src/screen/place/place.ts";
import { historyStep, issueUrls, placeIn, urlOf } from "../../web/place.ts";

const UID = "01JD3T9K6Q2Z0W4B7N8M5X1Y2C";

const PLACES: readonly (readonly [url: string, place: Partial<Place>])[] = [
  ["/svc", {}],
  ["/svc?screen=inbox", { screen: "inbox" }],
  ["/svc?screen=cron&tab=series", { screen: "cron", tab: "series" }],
  ["/svc?project=big+plan", { project: "big plan" }],
  ["/svc?filter=status%3Aall+owner%3A%22a+b%22", { query: 'status:all owner:"a b"' }],
  ["/svc?filter=", { query: "" }],
  ["/svc?view=states&order=-due", { view: "states", order: "-due" }],
  [`/svc?issue=${UID}`, { issue: UID }],
  [`/svc?screen=fleet&project=p%26q&issue=${UID}`, { screen: "fleet", project: "p&q", issue: UID }],
];

test.each(PLACES)("%s is the address of %j", (url, place) => {
  expect(urlOf({ ...HOME, ...place })).toBe(url);
  expect(placeIn(url.slice("/svc".length))).toEqual({ ...HOME, ...place });
});

test.each([
  ["?screen=kitchen&view=round&order=sideways", {}],
  ["?issue=abc4", {}],
  ["?screen=cron&tab=kitchen", { screen: "cron" }],
  [`?issue=${UID}X`, {}],
  [`?issue=${UID.toLowerCase()}`, { issue: UID }],
  ["?unknown=1", {}],
])("%s, which is partly wrong, still leads somewhere", (search, place) => {
  expect(placeIn(search)).toEqual({ ...HOME, ...place });
});

test.each([
  [{}, {}, "none", false],
  [{}, { query: "status:all" }, "replace", false],
  [{}, { query: "status:open date:today" }, "push", true],
  [{}, { view: "flat" }, "replace", true],
  [{}, { issue: UID }, "push", false],
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
    expect(placeIn(new URL(issueUrls(here)(UID), "http://x").search)).toEqual({
      ...here,
      issue: UID,
    });
  },
);
