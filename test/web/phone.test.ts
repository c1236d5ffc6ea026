import { expect } from "vitest";
import { filled, opened } from "./support/filled.ts";
import { webTest } from "./support/web.ts";

const inChromium = webTest({
  context: { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true },
});

inChromium(
  "on a phone a tap opens an issue over the list, and the arrow leads back",
  async ({ web }) => {
    await filled(web, "One", "Two");
    const page = await opened(web);
    await page.locator(".row a").first().tap();
    await expect.poll(async () => await page.locator(".issue-title").textContent()).toBe("Two");
    const wide = await page.evaluate(
      () => document.documentElement.scrollWidth > window.innerWidth,
    );
    expect(wide).toBe(false);
    await page.getByLabel("Back").tap();
    await expect.poll(async () => await page.locator(".issue-title").count()).toBe(0);
  },
);
