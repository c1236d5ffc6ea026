import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { accessFaults } from "./support/axe.ts";
import { filled, opened } from "./support/filled.ts";
import { type Web, webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 800 } } });

const TITLES = ["Pour the foundation", "Set up the crane", "Paint the edge"];

async function commenting(web: Web): Promise<[Page, Locator]> {
  await filled(web, ...TITLES);
  const page = await opened(web);
  await page.keyboard.press("C");
  const text = page.locator("textarea");
  await text.waitFor();
  return [page, text];
}

const options = (page: Page): Locator => page.locator(".at-caret [role=option]");
const nameOf = async (option: Locator): Promise<string> =>
  (await option.innerText()).split(/\s/, 1)[0] ?? "";

inChromium(
  "the id of an issue is completed in a text by keys, and typing continues after it",
  async ({ web }) => {
    const [page, text] = await commenting(web);
    await page.keyboard.type("after  comes paint");
    for (let at = 0; at < " comes paint".length; at += 1) await page.keyboard.press("ArrowLeft");
    await page.keyboard.type("#cra");
    await expect.poll(async () => await options(page).allInnerTexts()).toHaveLength(1);
    const list = page.getByRole("listbox", { name: "Comment" });
    expect(await text.getAttribute("aria-controls")).toBe(await list.getAttribute("id"));
    expect(await text.getAttribute("aria-activedescendant")).toBeNull();
    await page.keyboard.press("ArrowDown");
    const active = await text.getAttribute("aria-activedescendant");
    expect(await page.locator(`[id="${active}"]`).innerText()).toContain("Set up the crane");
    expect(await accessFaults(page)).toEqual([]);
    const name = await nameOf(options(page));
    await page.keyboard.press("Enter");
    expect(await text.inputValue()).toBe(`after ${name} comes paint`);
    expect(await options(page).count()).toBe(0);
    expect(await text.getAttribute("aria-controls")).toBeNull();
    await page.keyboard.type(",");
    expect(await text.inputValue()).toBe(`after ${name}, comes paint`);
  },
);

inChromium(
  "enter starts a new line until a key enters the list, and escape closes only the list",
  async ({ web }) => {
    const [page, text] = await commenting(web);
    await page.keyboard.type("#pa");
    await expect.poll(async () => await options(page).count()).toBe(1);
    await page.keyboard.press("Enter");
    expect(await text.inputValue()).toBe("#pa\n");
    await page.keyboard.type("#pa");
    await expect.poll(async () => await options(page).count()).toBe(1);
    await page.keyboard.press("Escape");
    expect(await options(page).count()).toBe(0);
    expect(await page.getByText("What you typed would be lost").count()).toBe(0);
    await page.keyboard.type("i");
    expect(await options(page).count()).toBe(0);
    await page.keyboard.type(" #");
    await expect.poll(async () => await options(page).count()).toBe(3);
    await page.keyboard.press("Tab");
    expect(await text.inputValue()).toMatch(/^#pa\n#pai product#\w+$/);
    expect(await text.evaluate((one) => one === document.activeElement)).toBe(true);
  },
);

inChromium(
  "the text has the focus again after the question whether it may be discarded",
  async ({ web }) => {
    const [page, text] = await commenting(web);
    await page.keyboard.type("half");
    await page.keyboard.press("Escape");
    await page.getByText("What you typed would be lost").waitFor();
    await page.getByRole("button", { name: "Go on editing" }).click();
    await page.getByText("What you typed would be lost").waitFor({ state: "detached" });
    expect(await text.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.type(" a line");
    expect(await text.inputValue()).toBe("half a line");
  },
);

inChromium(
  "a click in the list takes an entry, and a click elsewhere in the text closes the list",
  async ({ web }) => {
    const [page, text] = await commenting(web);
    await page.keyboard.type("line\nask @a");
    await expect.poll(async () => await options(page).allInnerTexts()).toEqual(["@ann", "@ana"]);
    await options(page).first().click();
    expect(await text.inputValue()).toBe("line\nask @ann");
    expect(await text.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.type(" #");
    await expect.poll(async () => await options(page).count()).toBe(3);
    await text.click({ position: { x: 12, y: 12 } });
    await expect.poll(async () => await options(page).count()).toBe(0);
  },
);

inChromium("the completion list is at the caret, and within the window", async ({ web }) => {
  const [page, text] = await commenting(web);
  const area = await text.boundingBox();
  await page.keyboard.type(`${"one\n".repeat(3)}${"many words ".repeat(5)} #`);
  const list = page.locator(".at-caret");
  await list.waitFor();
  const box = await list.boundingBox();
  if (area === null || box === null) throw new Error("nothing is drawn");
  expect(box.x).toBeGreaterThan(area.x + 100);
  expect(box.y).toBeGreaterThan(area.y + 60);
  expect(box.y).toBeLessThan(area.y + area.height);
  expect(box.x + box.width).toBeLessThanOrEqual(1280);
  expect(box.y + box.height).toBeLessThanOrEqual(800);
});

inChromium(
  "the message of a close and the text of an issue have completion too",
  async ({ web }) => {
    await filled(web, ...TITLES);
    const page = await opened(web);
    for (const [key, label] of [
      ["X", "Message"],
      ["e", "Body"],
      ["n", "Body"],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByLabel(label, { exact: true }).click();
      await page.keyboard.type("#crane");
      await expect.poll(async () => await options(page).count()).toBe(1);
      await page.keyboard.press("Tab");
      await expect
        .poll(async () => await page.getByLabel(label, { exact: true }).inputValue())
        .toMatch(/^product#\w+$/);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
  },
);
