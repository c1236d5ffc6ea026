import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { filled, opened } from "./support/filled.ts";
import { webTest } from "./support/web.ts";

const STYLES = join(import.meta.dirname, "..", "..", "web", "styles");

test("the layers of the page have distinct numbers, all of them from one scale", () => {
  const sheets = readdirSync(STYLES).filter((name) => name.endsWith(".css"));
  const scale = new Map<string, string>();
  const used = new Set<string>();
  for (const sheet of sheets) {
    const text = readFileSync(join(STYLES, sheet), "utf8");
    for (const [, name = "", at = ""] of text.matchAll(/(--layer-[a-z]+): (\d+);/g))
      scale.set(name, at);
    for (const [, value = ""] of text.matchAll(/z-index:\s*([^;]+);/g)) used.add(value);
  }
  expect(new Set(scale.values()).size).toBe(scale.size);
  expect([...used].sort()).toEqual([...scale.keys()].map((name) => `var(${name})`).sort());
});

const inChromium = webTest({
  context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
});

/** Whether the point in the middle of the element belongs to what lies over it. */
async function isCovered(page: Page, element: Locator, by: string): Promise<boolean> {
  const box = await element.boundingBox();
  if (box === null) throw new Error("the element is not in the window");
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2, by };
  return await page.evaluate(
    (at) => document.elementFromPoint(at.x, at.y)?.closest(at.by) != null,
    middle,
  );
}

inChromium("a message is covered by the sheet of commands and by the drawer", async ({ web }) => {
  const uids = await filled(web, "One", "Two");
  const page = await opened(web, `/svc?issue=${uids.get("One") ?? ""}`);
  const detail = page.locator(".detail");
  await detail.getByRole("button", { name: "Close" }).tap();
  const notice = page.locator(".notice", { hasText: "closed" });
  await notice.waitFor();
  expect(await isCovered(page, notice, ".notice")).toBe(true);

  await detail.getByRole("button", { name: "More" }).tap();
  await page.getByRole("menu").waitFor();
  expect(await isCovered(page, notice, ".menu")).toBe(true);
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });

  await detail.getByRole("button", { name: "Back" }).tap();
  await page.getByRole("button", { name: "screens and views" }).tap();
  await page.locator(".drawer .place").first().waitFor();
  expect(await isCovered(page, notice, ".drawer")).toBe(true);
});
