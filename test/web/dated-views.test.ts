import { expect, vi } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { opened } from "./support/filled.ts";
import { type Web, webTest } from "./support/web.ts";

const ZONE = "Pacific/Auckland";
const inChromium = webTest({ context: { timezoneId: ZONE } });

const DAY_MS = 86_400_000;
const PATIENCE = { timeout: 20_000, interval: 100 };

/** The day in the zone of the page, some days from now. */
function day(from: number): string {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: ZONE });
  return format.format(systemClock.nowMs() + from * DAY_MS);
}

const DATES: readonly (readonly [title: string, metadata: Record<string, string>])[] = [
  ["Was due", { deadline_on: day(-2) }],
  ["Is for today", { scheduled_on: day(0) }],
  ["Is for tomorrow", { scheduled_on: day(1) }],
  ["Is for tomorrow and due", { scheduled_on: day(1), deadline_on: day(0) }],
  ["Is due in a week", { deadline_on: day(7) }],
  ["Has no date", {}],
];

async function filled(web: Web): Promise<void> {
  for (const name of ["atlas", "errands"])
    await web.call("POST", "/projects", { name, actor: "ana" });
  await web.call("POST", "/projects/2/metadata", { patch: { role: "inbox" }, actor: "ana" });
  for (const [title, metadata] of DATES)
    await web.call("POST", "/projects/1/issues", { title, metadata, actor: "ana" });
  await web.call("POST", "/projects/2/issues", { title: "Belongs nowhere", actor: "ana" });
  const { body } = await web.call("POST", "/projects/1/issues", { title: "Is over", actor: "ana" });
  const { short_id } = (body as { readonly issue: { readonly short_id: string } }).issue;
  const message = "Nobody needs it any more, since what it was for has long been over and done.";
  const close = { actor: "ana", reason: "wontfix", message };
  const closed = await web.call("POST", `/projects/1/issues/${short_id}/actions/close`, close);
  expect(closed.status).toBe(200);
}

/** The titles of a view of the snapshot, in its order. */
async function snapshotOf(web: Web, view: string): Promise<readonly string[]> {
  const dates = `local_date=${day(0)}&time_zone=${encodeURIComponent(ZONE)}`;
  const { body } = await web.call("GET", `/ui/snapshot?view=${view}&${dates}`);
  const { collection } = body as { readonly collection: readonly { readonly title: string }[] };
  return collection.map(({ title }) => title);
}

const VIEWS = [
  ["Today", "today", 3],
  ["Upcoming", "upcoming", 2],
  ["Deadlines", "deadlines", 3],
  ["Capture", "inbox", 1],
  ["All open", "all-open", 7],
  ["Logbook", "logbook", 1],
] as const;

inChromium("each view has the rows, order and count of the daemon's snapshot", async ({ web }) => {
  await filled(web);
  const page = await opened(web);
  for (const [name, view, count] of VIEWS) {
    const button = page.getByRole("button", { name: `${name} ${count}`, exact: true });
    await button.click();
    expect(await button.getAttribute("aria-pressed")).toBe("true");
    const titles = page.locator(".row .title a");
    // The daemon notices meanwhile that a date has come, so both are read again.
    await vi.waitFor(async () => {
      const wanted = await snapshotOf(web, view);
      expect([name, wanted.length]).toEqual([name, count]);
      expect(await titles.allInnerTexts()).toEqual(wanted);
    }, PATIENCE);
  }
});

inChromium("a view has an address, and back leads to the previous one", async ({ web }) => {
  await filled(web);
  const page = await opened(web);
  await page.getByRole("button", { name: "Today 3", exact: true }).click();
  await page.waitForURL(/filter=status%3Aopen\+date%3Atoday/);
  await page.keyboard.press(":");
  await page.keyboard.type("upcoming");
  await page.keyboard.press("Enter");
  await page.waitForURL(/date%3Aupcoming/);
  await page.goBack();
  await page.waitForURL(/date%3Atoday/);
  const other = await web.open(page.url());
  await other.getByRole("button", { name: "Today 3", pressed: true }).waitFor();
});
