import type { Page } from "playwright-core";
import { expect } from "vitest";
import { filled, opened } from "./support/filled.ts";
import { webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 800 } } });

async function titlesAre(page: Page, ...titles: readonly string[]): Promise<void> {
  const shown = page.locator(".row .title a");
  await expect.poll(async () => await shown.allTextContents()).toEqual(titles);
}

inChromium(
  "in the list the key E folds all children or groups, and unfolds them again",
  async ({ web }) => {
    const uids = await filled(web, "Child of two", "Two", "Child of one", "One");
    for (const parent of ["One", "Two"]) {
      const child = uids.get(`Child of ${parent.toLowerCase()}`);
      const link = { type: "parent", to_ref: uids.get(parent), actor: "ann" };
      await web.call("POST", `/projects/1/issues/${child}/links`, link);
    }
    const page = await opened(web, "/svc?project=product&order=created");
    const rows = page.locator(".row .title a");
    await expect.poll(async () => await rows.count()).toBe(4);
    await page.keyboard.press("E");
    await expect
      .poll(async () => (await rows.allTextContents()).toSorted())
      .toEqual(["One", "Two"]);
    await page.keyboard.press("E");
    await expect.poll(async () => await rows.count()).toBe(4);
    await page.keyboard.press("z");
    await page.locator(".group-head[aria-expanded=true]").first().waitFor();
    await page.keyboard.press("E");
    await expect.poll(async () => await rows.count()).toBe(0);
    await page.keyboard.press("E");
    await expect.poll(async () => await rows.count()).toBe(4);
  },
);

inChromium(
  "in the list the key ctrl+f makes the daemon search, in comments too",
  async ({ web }) => {
    const uids = await filled(web, "Three", "Two", "One");
    const path = `/projects/1/issues/${uids.get("Two")}/comments`;
    await web.call("POST", path, { body: "It has to be granite.", actor: "bo" });
    const page = await opened(web);
    await page.keyboard.press("Control+f");
    const asks = page.getByRole("dialog", { name: "search the daemon for" });
    await asks.getByRole("combobox").fill("granite");
    await page.keyboard.press("Enter");
    await titlesAre(page, "Two");
    await page.keyboard.press("Escape");
    await expect.poll(async () => await page.locator(".row").count()).toBe(3);
  },
);

inChromium(
  "in the list a click with shift marks all rows from the last marked one to the clicked one",
  async ({ web }) => {
    await filled(web, "Five", "Four", "Three", "Two", "One");
    const page = await opened(web);
    const marked = page.locator(".row[aria-selected=true] .title a");
    await titlesAre(page, "One", "Two", "Three", "Four", "Five");
    const title = (name: string) => page.locator(".row .title a").getByText(name, { exact: true });
    await page.keyboard.press("g");
    await page.keyboard.press("j");
    await page.keyboard.press("Space");
    await title("Four").click({ modifiers: ["Shift"] });
    await expect.poll(async () => await marked.allTextContents()).toEqual(["Two", "Three", "Four"]);
    // The range goes upwards too, from the row that was clicked last.
    await title("One").click({ modifiers: ["Shift"] });
    await expect
      .poll(async () => await marked.allTextContents())
      .toEqual(["One", "Two", "Three", "Four"]);
    // The browser opens no window, and the page opens no issue.
    expect(page.context().pages()).toHaveLength(1);
    expect(await page.locator(".page").getAttribute("data-open")).toBe("false");
  },
);
