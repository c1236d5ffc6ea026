import type { Page } from "playwright-core";
import { expect } from "vitest";
import { linked } from "./support/linked.ts";
import { type Web, webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 800 } } });

async function opened(web: Web, width: number, path = "/svc?project=plan&order=-created") {
  await web.context.addInitScript(() => {
    if (location.protocol === "http:") localStorage.setItem("svc.actor", "ann");
  });
  const [dig] = await linked(web, ["Dig", "Paint accents"], { blocks: [[0, 1]] });
  const body = "See [the plan](https://example.com/plan).";
  await web.call("PATCH", `/projects/1/issues/${dig?.short_id}`, { body, actor: "ann" });
  const page = await web.context.newPage();
  await page.setViewportSize({ width, height: 800 });
  await page.goto(path);
  return page;
}

/** Types what a person types who wants to filter, and expects that it filters and does nothing else. */
async function filters(page: Page): Promise<void> {
  await page.keyboard.type("/accents");
  const input = page.locator(".filter-bar.typing input");
  await expect.poll(async () => await input.inputValue()).toMatch(/accents$/);
  expect(await page.locator("dialog[open]").count()).toBe(0);
  await page.keyboard.press("Enter");
  await page.locator(".row", { hasText: "Paint accents" }).waitFor();
  await expect.poll(async () => await page.locator(".row").count()).toBe(1);
  await page.locator("button", { hasText: "accents" }).first().waitFor();
  expect(new URL(page.url()).searchParams.get("project")).toBe("plan");
}

const dig = async (page: Page): Promise<void> =>
  await page.locator(".row", { hasText: "Dig" }).first().waitFor();
const openDig = async (page: Page): Promise<void> => {
  await page.locator(".row", { hasText: "Dig" }).first().click();
  await page.locator(".detail .description a").waitFor();
};

const PLACES: readonly (readonly [place: string, go: (page: Page) => Promise<void>])[] = [
  ["the list", dig],
  ["an issue", openDig],
  [
    "a link in a text",
    async (page) => {
      await openDig(page);
      await page.locator(".detail .description a").focus();
    },
  ],
  [
    "a button",
    async (page) => {
      await openDig(page);
      await page.getByRole("button", { name: "More" }).focus();
    },
  ],
  [
    "a menu",
    async (page) => {
      await openDig(page);
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menu").waitFor();
    },
  ],
  [
    "another screen",
    async (page) => {
      await dig(page);
      await page.keyboard.press("4");
      await page.getByRole("heading", { name: "Cron" }).waitFor();
    },
  ],
];

for (const width of [390, 768, 1280])
  for (const [place, go] of PLACES)
    inChromium(`the key that filters works in ${place} at ${width} pixels`, async ({ web }) => {
      const page = await opened(web, width);
      await go(page);
      await filters(page);
    });

inChromium("the key that filters works in a drop-down list and in the drawer", async ({ web }) => {
  const page = await opened(web, 768);
  await dig(page);
  await page.locator(".pick select").first().focus();
  await filters(page);
  await page.keyboard.press("c");
  await dig(page);
  await page.getByRole("button", { name: "screens and views" }).click();
  await page.locator("dialog.drawer").waitFor();
  await filters(page);
});

inChromium("the key that filters types a letter while somebody writes a text", async ({ web }) => {
  const page = await opened(web, 1280);
  await dig(page);
  await page.keyboard.press("n");
  const title = page.getByRole("combobox", { name: "Title" });
  await title.waitFor();
  await page.keyboard.type("a/b");
  expect(await title.inputValue()).toBe("a/b");
  expect(await page.locator(".filter-bar.typing").count()).toBe(0);
});

inChromium(
  "the key that filters opens the filter of the fleet, and closing an issue brings the list back",
  async ({ web }) => {
    const page = await opened(web, 768);
    await openDig(page);
    await page.keyboard.type("/x");
    await page.locator(".filter-bar.typing input").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".detail").waitFor({ state: "detached" });
    await page.locator('.row[data-cursor="true"]', { hasText: "Dig" }).waitFor();
    await page.keyboard.press("6");
    await page.getByRole("heading", { name: "Fleet" }).waitFor();
    await page.keyboard.type("/zz");
    await expect.poll(async () => await page.locator("dialog[open] input").inputValue()).toBe("zz");
  },
);

inChromium(
  "the pencil button and the hint for a missing text put the cursor into the text",
  async ({ web }) => {
    const page = await opened(web, 1280);
    const inText = async (): Promise<void> => {
      await page.locator("dialog[open]").waitFor();
      await expect
        .poll(async () => await page.evaluate(() => document.activeElement?.tagName))
        .toBe("TEXTAREA");
      await page.keyboard.press("Escape");
      await page.locator("dialog[open]").waitFor({ state: "detached" });
    };
    await openDig(page);
    await page.getByRole("button", { name: "Edit the text" }).click();
    await inText();
    await page.locator(".row", { hasText: "Paint accents" }).click();
    await page.getByRole("button", { name: "Write one" }).click();
    await inText();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.locator("dialog[open]").waitFor();
    await expect
      .poll(async () => await page.evaluate(() => document.activeElement?.tagName))
      .toBe("INPUT");
  },
);
