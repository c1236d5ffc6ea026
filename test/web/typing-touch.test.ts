import { expect } from "vitest";
import { filled, opened } from "./support/filled.ts";
import { webTest } from "./support/web.ts";

const inChromium = webTest({
  context: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
});

inChromium("a tap takes the id of an issue from the completion list", async ({ web }) => {
  await filled(web, "Pour the foundation", "Set up the crane", "Paint the edge");
  const page = await opened(web);
  await page.locator(".row", { hasText: "Paint the edge" }).tap();
  await page.locator(".issue-title").waitFor();
  await page.keyboard.press("c");
  const text = page.locator("textarea");
  await text.tap();
  await page.keyboard.type("see #found");
  await page.locator(".at-caret [role=option]").tap();
  expect(await text.inputValue()).toMatch(/^see product#\w+$/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});
