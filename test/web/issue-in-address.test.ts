import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { linked } from "./support/linked.ts";
import { type Web, webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 800 } } });

const WIDTHS = [390, 768, 1280] as const;
/** From this width on, the issue under the cursor is shown beside the list. */
const WIDE = 1280;

const TITLES = ["Dig", "Build", "Paint", "Sell"] as const;

/** The list of four issues, the first made at the top, as ann sees it. */
async function listed(web: Web, width: number, filter = "") {
  await web.context.addInitScript(() => {
    if (location.protocol === "http:") localStorage.setItem("svc.actor", "ann");
  });
  const made = await linked(web, TITLES, { blocks: [] });
  const page = await web.context.newPage();
  await page.setViewportSize({ width, height: 800 });
  const path = (at?: number): string => {
    const issue = at === undefined ? "" : `&issue=${made[at]?.uid}`;
    return `/svc?project=plan${filter}&order=-created${issue}`;
  };
  return { page, made, path, uid: (at: number) => made[at]?.uid ?? "" };
}

const addressOf = (page: Page): string => {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
};
const at = async (page: Page, path: string): Promise<void> =>
  await expect.poll(() => addressOf(page)).toBe(path);
const heading = (page: Page, name: string) =>
  page.getByRole("heading", { name, exact: true, level: 1 }).waitFor();
/** The title in the row with the cursor. */
const cursor = (page: Page, title: string) =>
  page.locator('.row[data-cursor="true"]', { hasText: title }).waitFor({ state: "attached" });
const row = (page: Page, title: string) => page.locator(".row", { hasText: title });
const lengthOf = async (page: Page): Promise<number> => await page.evaluate(() => history.length);

describe.each(WIDTHS)("a window of %i pixels", (width) => {
  inChromium(
    `a link opens its issue and puts the cursor on it, at ${width} pixels`,
    async ({ web }) => {
      const { page, path } = await listed(web, width);
      await page.goto(path(2));
      await heading(page, "Paint");
      await cursor(page, "Paint");
      await at(page, path(2));
      await page.keyboard.press("Escape");
      await cursor(page, "Paint");
      await page.keyboard.press("j");
      await cursor(page, "Sell");
      await at(page, path(width === WIDE ? 3 : undefined));
    },
  );

  inChromium(
    `an issue hidden by the filter opens at its address, at ${width} pixels`,
    async ({ web }) => {
      const { page, path } = await listed(web, width, "&filter=status%3Aopen+Dig");
      await page.goto(path(2));
      await heading(page, "Paint");
      await row(page, "Dig").waitFor({ state: "attached" });
      await at(page, path(2));
      await page.reload();
      await heading(page, "Paint");
      await page.keyboard.press("Escape");
      await cursor(page, "Dig");
      await at(page, path(width === WIDE ? 0 : undefined));
      await page.goBack();
      await heading(page, "Paint");
    },
  );

  inChromium(`an opened issue has an entry in the history, at ${width} pixels`, async ({ web }) => {
    const { page, path } = await listed(web, width);
    await page.goto(path());
    await row(page, "Build").click();
    await heading(page, "Build");
    await at(page, path(1));
    await page.reload();
    await heading(page, "Build");
    await cursor(page, "Build");
    await page.goBack();
    await at(page, path(width === WIDE ? 0 : undefined));
    if (width === WIDE) await heading(page, "Dig");
    else await page.locator(".detail").waitFor({ state: "detached" });
    await page.goForward();
    await heading(page, "Build");
    await at(page, path(1));
  });

  inChromium(`enter opens an issue, and back closes it, at ${width} pixels`, async ({ web }) => {
    const { page, path } = await listed(web, width);
    await page.goto(path());
    await cursor(page, "Dig");
    await page.keyboard.press("j");
    await cursor(page, "Build");
    await page.keyboard.press("Enter");
    await page.locator('.detail[data-focused="true"]').waitFor();
    await at(page, path(1));
    await page.goBack();
    await page.locator('.window-list[data-focused="true"]').waitFor();
    await cursor(page, "Build");
    await page.goForward();
    await page.locator('.detail[data-focused="true"]').waitFor();
    await heading(page, "Build");
  });
});

inChromium(
  "moving the cursor replaces the history entry, and a reload shows the same issue",
  async ({ web }) => {
    const { page, path } = await listed(web, WIDE);
    await page.goto(path());
    await cursor(page, "Dig");
    await at(page, path(0));
    const before = await lengthOf(page);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await at(page, path(2));
    expect(await lengthOf(page)).toBe(before);
    await page.reload();
    await heading(page, "Paint");
    await cursor(page, "Paint");
    // The issue was not opened, so the keys still act on the list.
    await page.keyboard.press("j");
    await cursor(page, "Sell");
    await at(page, path(3));
  },
);

inChromium("a key that is held down changes the address only a few times", async ({ web }) => {
  const { page, path, uid } = await listed(web, WIDE);
  await page.addInitScript(() => {
    const change = history.replaceState.bind(history);
    history.replaceState = (...given) => {
      document.documentElement.dataset["changes"] =
        `${Number(document.documentElement.dataset["changes"] ?? 0) + 1}`;
      change(...given);
    };
  });
  await page.goto(path());
  await at(page, path(0));
  for (let times = 0; times < 60; times += 1)
    await page.keyboard.press(times % 2 === 0 ? "j" : "k");
  await page.keyboard.press("G");
  await expect.poll(() => page.url()).toContain(uid(3));
  const changes = await page.evaluate(() => document.documentElement.dataset["changes"]);
  expect(Number(changes)).toBeLessThan(20);
});

inChromium("the link that skips to the list opens no issue", async ({ web }) => {
  const { page, path } = await listed(web, WIDE);
  await page.goto(path());
  await cursor(page, "Dig");
  await at(page, path(0));
  await page.locator(".skip").focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toContain("#list");
  await page.keyboard.press("j");
  await cursor(page, "Build");
});

inChromium(
  "the issue beside the inbox and beside the graph is in the address too",
  async ({ web }) => {
    const { page, made, uid } = await listed(web, WIDE);
    for (const { short_id } of made.slice(0, 2)) {
      const path = `/projects/1/issues/${short_id}/actions/notify`;
      const { status } = await web.call("POST", path, { to: "ann", message: "look", actor: "bo" });
      expect(status).toBe(200);
    }
    await page.goto("/svc?screen=inbox&project=plan");
    await heading(page, "Dig");
    await page.keyboard.press("j");
    await heading(page, "Build");
    await at(page, `/svc?screen=inbox&project=plan&issue=${uid(1)}`);
    await page.reload();
    await heading(page, "Build");
    await page.locator('.list-line[data-cursor="true"]', { hasText: "Build" }).waitFor();
    const link = { type: "blocks", to_ref: made[1]?.short_id, actor: "ann" };
    await web.call("POST", `/projects/1/issues/${made[0]?.short_id}/links`, link);
    await page.goto(`/svc?screen=graph&source=${uid(0)}&project=plan`);
    await heading(page, "Dig");
    // A key moves the cursor only in a graph that is drawn.
    const box = (at: number) =>
      page.locator(`.graph-box[data-uid="${uid(at)}"][data-cursor="true"]`).waitFor();
    await box(0);
    await page.keyboard.press("j");
    await heading(page, "Build");
    const graph = `/svc?screen=graph&source=${uid(0)}&project=plan&issue=${uid(1)}`;
    await at(page, graph);
    await page.reload();
    await heading(page, "Build");
    await at(page, graph);
    await box(1);
    await page.keyboard.press("k");
    await heading(page, "Dig");
    await at(page, `/svc?screen=graph&source=${uid(0)}&project=plan`);
  },
);
