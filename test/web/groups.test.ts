import type { Page } from "playwright-core";
import { expect } from "vitest";
import { filled, opened } from "./support/filled.ts";
import { webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 480 } } });

/** Headings and titles from top to bottom, as a reader of the screen counts them. */
async function linesOf(page: Page): Promise<readonly string[]> {
  return await page.locator("[role=treegrid] [role=row]").evaluateAll((all) =>
    all
      .map((row) => ({
        at: Number(row.getAttribute("aria-rowindex")),
        text: [...row.querySelectorAll(".title a, button .name, button .count")]
          .map(({ textContent }) => textContent)
          .join(" "),
      }))
      .sort((a, b) => a.at - b.at)
      .map(({ text }) => text),
  );
}

inChromium(
  "the list is grouped by the chosen view, and its address contains the grouping",
  async ({ web }) => {
    await filled(web, "One", "Two");
    await web.call("POST", "/projects/1/issues", { title: "Three", owner: "bo", actor: "ann" });
    const page = await opened(web);
    await page
      .locator("label.pick", { hasText: "view" })
      .locator("select")
      .selectOption("by-owner");
    await expect
      .poll(async () => await linesOf(page))
      .toEqual(["bo 1", "Three", "(nobody) 2", "Two", "One"]);
    expect(new URL(page.url()).searchParams.get("view")).toBe("by-owner");
    await page.reload();
    await expect.poll(async () => (await linesOf(page)).length).toBe(5);
    await page.locator(".group-head button").first().click();
    await expect
      .poll(async () => await linesOf(page))
      .toEqual(["bo 1", "(nobody) 2", "Two", "One"]);
    const head = page.locator(".group-head").first();
    expect(await head.getAttribute("aria-expanded")).toBe("false");
    await page.keyboard.press("ArrowRight");
    await expect.poll(async () => (await linesOf(page)).length).toBe(5);
    await page.keyboard.press("z");
    await expect.poll(async () => (await linesOf(page))[0]).toBe("no priority 3");
  },
);

inChromium("a heading stays visible while its rows are scrolled below it", async ({ web }) => {
  await filled(web, ...Array.from({ length: 40 }, (_, at) => `Issue ${at + 1}`));
  const page = await opened(web, "/svc?view=by-project");
  const list = page.locator("[role=treegrid]");
  const head = page.locator(".group-head", { hasText: "product" });
  await head.waitFor();
  const offset = async (): Promise<number> => {
    const [at, frame] = [await head.boundingBox(), await list.boundingBox()];
    return Math.round((at?.y ?? -1) - (frame?.y ?? 0));
  };
  await list.evaluate((element) => element.scrollTo(0, 700));
  await expect.poll(offset).toBe(0);
  await page.keyboard.press("G");
  const last = page.locator(".row[data-cursor=true] .title a");
  await expect.poll(async () => await last.textContent()).toBe("Issue 1");
  await expect.poll(offset).toBe(0);
  await page.keyboard.press("g");
  await expect.poll(async () => await last.textContent()).toBe("Issue 40");
  const [row, above] = [await last.boundingBox(), await head.boundingBox()];
  expect(row?.y ?? 0).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
});
