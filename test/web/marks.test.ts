import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { accessFaults } from "./support/axe.ts";
import { filled, opened } from "./support/filled.ts";
import { type Web, webTest } from "./support/web.ts";

const row = (page: Page, title: string) => page.locator(".row", { hasText: title });
const bar = (page: Page) => page.getByRole("group", { name: "marked issues" });

/** The fields of an issue that the daemon has. */
async function stored(web: Web, uid: string | undefined) {
  const { body } = await web.call("GET", `/projects/1/issues/${uid}`);
  return (body as { readonly issue: Readonly<Record<string, unknown>> }).issue;
}

/** A page with three issues, of which two are marked and the third is shown. */
async function marked(web: Web) {
  const uids = await filled(web, "One", "Two", "Three");
  const page = await opened(web);
  for (const title of ["One", "Two"]) {
    await row(page, title).hover();
    await row(page, title).locator("[data-do=mark]").click();
  }
  await row(page, "Three").locator(".title a").click();
  await page.locator(".issue-title", { hasText: "Three" }).waitFor();
  return { page, uids };
}

describe("marks in a wide window", () => {
  const inChromium = webTest({ context: { viewport: { width: 1280, height: 800 } } });

  inChromium(
    "the buttons beside the list act on the issue that is shown, and not on marked issues",
    async ({ web }) => {
      const { page, uids } = await marked(web);
      const detail = page.locator(".detail");
      await detail.getByRole("button", { name: "Close", exact: true }).click();
      await expect
        .poll(async () => (await stored(web, uids.get("Three")))["status"])
        .toBe("closed");
      for (const title of ["One", "Two"])
        expect(await stored(web, uids.get(title))).toMatchObject({ status: "open" });
      expect(await page.locator(".row[aria-selected=true]").count()).toBe(2);
    },
  );

  inChromium("the menu of an unmarked row acts on that row alone", async ({ web }) => {
    const { page, uids } = await marked(web);
    await row(page, "Three").click({ button: "right" });
    const menu = page.getByRole("menu", { name: "commands on the issue" });
    await menu.getByRole("menuitem", { name: /^mark/ }).waitFor();
    await menu.getByRole("menuitem", { name: /^close( x)?$/ }).click();
    await expect.poll(async () => (await stored(web, uids.get("Three")))["status"]).toBe("closed");
    expect(await stored(web, uids.get("One"))).toMatchObject({ status: "open" });
    await row(page, "One").click({ button: "right" });
    await menu.getByRole("menuitem", { name: /^take the mark off/ }).waitFor();
    await menu.getByRole("menuitem", { name: /^close( x)?$/ }).click();
    for (const title of ["One", "Two"])
      await expect.poll(async () => (await stored(web, uids.get(title)))["status"]).toBe("closed");
  });

  inChromium(
    "a bar says how many issues are marked, and acts on them or clears the marks",
    async ({ web }) => {
      const { page, uids } = await marked(web);
      await bar(page).getByText("2 marked").waitFor();
      expect(await accessFaults(page)).toEqual([]);
      await bar(page).getByRole("button", { name: "Owner" }).click();
      await page.getByRole("dialog").locator("input").fill("bo");
      await page.keyboard.press("Enter");
      for (const title of ["One", "Two"])
        await expect.poll(async () => (await stored(web, uids.get(title)))["owner"]).toBe("bo");
      expect(await stored(web, uids.get("Three"))).not.toHaveProperty("owner");
      // Both are still listed, so the next command acts on them too.
      await bar(page).getByText("2 marked").waitFor();
      await page.keyboard.press("Escape");
      await bar(page).waitFor({ state: "detached" });
      await page.keyboard.press(" ");
      await bar(page).getByText("1 marked").waitFor();
      await bar(page).getByRole("button", { name: "Clear" }).click();
      await bar(page).waitFor({ state: "detached" });
      expect(await page.locator(".row[aria-selected=true]").count()).toBe(0);
    },
  );
});

describe("marks in a narrower window", () => {
  const inChromium = webTest({ context: { viewport: { width: 800, height: 800 } } });

  inChromium(
    "an issue that covers the list hides the bar, and commands act on that issue",
    async ({ web }) => {
      const { page, uids } = await marked(web);
      await page.locator(".issue-title", { hasText: "Three" }).waitFor();
      await bar(page).waitFor({ state: "detached" });
      await page.locator(".detail").getByRole("button", { name: "Close", exact: true }).click();
      await expect
        .poll(async () => (await stored(web, uids.get("Three")))["status"])
        .toBe("closed");
      expect(await stored(web, uids.get("One"))).toMatchObject({ status: "open" });
      await page.getByRole("button", { name: "Back" }).click();
      await bar(page).getByText("2 marked").waitFor();
    },
  );
});

describe("marks on a phone", () => {
  const inChromium = webTest({
    context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  });

  inChromium("a tap beside a mark box marks the row too, and the bar has room", async ({ web }) => {
    await filled(web, "One", "Two");
    const page = await opened(web);
    // A resting finger opens the menu that marks; here the key does it.
    await page.keyboard.press(" ");
    await bar(page).getByText("1 marked").waitFor();
    const box = await row(page, "One").locator(".box").boundingBox();
    if (box === null) throw new Error("no box");
    await page.touchscreen.tap(box.x + box.width / 2 + 16, box.y + box.height / 2);
    await bar(page).getByText("2 marked").waitFor();
    expect(await page.locator(".issue-title").count()).toBe(0);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
    expect(await accessFaults(page)).toEqual([]);
  });
});
