import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { accessFaults } from "./support/axe.ts";
import { filled, opened } from "./support/filled.ts";
import { type Web, webTest } from "./support/web.ts";

const titles = async (page: Page): Promise<readonly string[]> =>
  await page.locator(".row .title a").allTextContents();

const query = (page: Page): string | null => new URL(page.url()).searchParams.get("filter");

async function owned(web: Web): Promise<void> {
  await filled(web, "One");
  for (const [title, owner] of [
    ["Two", "bo"],
    ["Three", "cy"],
  ])
    await web.call("POST", "/projects/1/issues", { title, owner, actor: "ann" });
}

describe("the filter with a mouse", () => {
  const inChromium = webTest();

  inChromium("a filter chip has a menu of the existing values", async ({ web }) => {
    await owned(web);
    const page = await opened(web, `/svc?filter=${encodeURIComponent("status:open owner:bo")}`);
    const chip = page.getByRole("button", { name: "owner:bo", exact: true });
    await chip.click();
    const values = page.getByRole("menuitemradio");
    await expect.poll(async () => await values.allInnerTexts()).toHaveLength(3);
    expect(await page.locator("[aria-checked=true]").innerText()).toContain("bo");
    expect(await accessFaults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect.poll(async () => await values.count()).toBe(0);
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => query(page)).toBe("status:open owner:cy");
    await expect.poll(async () => await titles(page)).toEqual(["Three"]);
    await page.keyboard.press("j");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe(
      "treegrid",
    );
  });

  inChromium("one button opens the form that adds a condition to the filter", async ({ web }) => {
    await owned(web);
    const page = await opened(web);
    await page.getByRole("button", { name: "Add filter" }).click();
    await page.locator(".field[data-name=owner] input").fill("bo");
    await page.keyboard.press("Control+Enter");
    await expect.poll(async () => await titles(page)).toEqual(["Two"]);
  });

  inChromium(
    "if a filter matches nothing, each condition without which it would match has a button",
    async ({ web }) => {
      await owned(web);
      const page = await opened(web);
      await page.goto(`/svc?filter=${encodeURIComponent("status:open owner:bo three")}`);
      const wider = page.getByRole("button", { name: "Show 1 without three" });
      await wider.waitFor();
      await wider.click();
      await expect.poll(async () => await titles(page)).toEqual(["Two"]);
    },
  );
});

describe("the filter on a phone", () => {
  const inChromium = webTest({
    context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  });

  inChromium("the menu of a filter chip is a sheet at the bottom", async ({ web }) => {
    await owned(web);
    const page = await opened(web);
    await page.getByRole("button", { name: "status:open", exact: true }).tap();
    // The sheet moves up while it opens.
    await expect
      .poll(async () => {
        const box = await page.locator(".menu").boundingBox();
        return Math.round((box?.y ?? 0) + (box?.height ?? 0));
      })
      .toBe(844);
    await page.getByRole("menuitemradio", { name: "closed" }).tap();
    await expect.poll(() => query(page)).toBe("status:closed");
    await expect.poll(async () => await page.locator(".menu").count()).toBe(0);
  });
});
