import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { filled, opened } from "./support/filled.ts";
import { lived } from "./support/lived.ts";
import { goTo, placesOf } from "./support/places.ts";
import { isLive } from "./support/states.ts";
import { webTest } from "./support/web.ts";

const inChromium = webTest();

describe("a page at 200 % zoom", () => {
  // A browser that enlarges a window of 1280 by 800 pixels gives the page half of them.
  const zoomed = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 };
  const inChromium = webTest({ context: zoomed });

  inChromium(
    "nothing on a page at 200 % zoom scrolls sideways",
    async ({ web }) => {
      const { uid } = await lived(web);
      await web.context.addInitScript(() => {
        if (location.protocol === "http:") localStorage.setItem("svc.actor", "ann");
      });
      const page = await web.context.newPage();
      const wide: string[] = [];
      for (const place of placesOf(uid)) {
        await goTo(page, place);
        const isWide = await page.evaluate(() => {
          const modal = document.querySelector(".modal-inside");
          const isModalWide = modal !== null && modal.scrollWidth > modal.clientWidth;
          return document.documentElement.scrollWidth > innerWidth || isModalWide;
        });
        if (isWide) wide.push(place.name);
      }
      expect(wide).toEqual([]);
    },
    120_000,
  );
});

inChromium(
  "grey placeholder rows appear only if loading takes longer than 150 ms",
  async ({ web }) => {
    await filled(web, "One");
    const come = Promise.withResolvers<void>();
    await web.context.route(/\/issues\?/, async (route) => {
      await come.promise;
      await route.continue();
    });
    await web.context.addInitScript(() => {
      if (location.protocol === "http:") localStorage.setItem("svc.actor", "ana");
    });
    const page = await web.open("/svc?project=product");
    const skeleton = page.locator(".skeleton");
    await skeleton.waitFor();
    const times = await skeleton.evaluate((element) =>
      element.getAnimations().map(({ effect }) => {
        const { delay, duration } = effect?.getComputedTiming() ?? {};
        return [delay, duration];
      }),
    );
    expect(times).toEqual([[150, 0]]);
    const opacity = async (): Promise<string> =>
      await skeleton.evaluate((element) => getComputedStyle(element).opacity);
    await expect.poll(opacity).toBe("1");
    come.resolve();
    await page.locator(".row").first().waitFor();
    expect(await skeleton.count()).toBe(0);
  },
);

inChromium(
  "a row that somebody else changed is highlighted for a while, and a row that the person changed is not",
  async ({ web }) => {
    const uids = await filled(web, "One", "Two");
    const page = await opened(web);
    await isLive(page);
    const one = page.locator(".row", { hasText: "One" });
    const mark = async (): Promise<string | null> => await one.getAttribute("data-mark");
    await web.call("PATCH", `/projects/1/issues/${uids.get("One")}`, { owner: "bo", actor: "bo" });
    await expect.poll(mark, { interval: 20 }).toBe("changed");
    await expect.poll(mark).not.toBe("changed");
  },
);

/** A page on which the person has switched off single letters as keys. */
async function withoutLetters(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.setItem("svc.letters", "off"));
  await page.reload();
  await page.locator(".row").first().waitFor();
}

inChromium(
  "single-letter keys do nothing if they are switched off, and other keys still work",
  async ({ web }) => {
    await filled(web, "One", "Two");
    const page = await opened(web);
    await withoutLetters(page);
    const cursor = async (at: number): Promise<string | null> =>
      await page.locator(".row").nth(at).getAttribute("data-cursor");
    for (const key of ["j", "x", "n", "?", ":", "3"]) await page.keyboard.press(key);
    expect(await cursor(0)).toBe("true");
    expect(await page.locator(".modal, .notice").count()).toBe(0);
    await page.keyboard.press("ArrowDown");
    await expect.poll(async () => await cursor(1)).toBe("true");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").waitFor();
  },
);

inChromium("ctrl+k opens the palette, in which commands can be found", async ({ web }) => {
  await filled(web, "One");
  const page = await opened(web);
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill("projects");
  await page.locator(".modal [role=option]").first().waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

inChromium("the width of the issue beside the list is dragged, and saved", async ({ web }) => {
  await filled(web, "One");
  const page = await opened(web);
  const detail = page.locator(".detail");
  const widthOf = async (): Promise<number> => (await detail.boundingBox())?.width ?? 0;
  const before = await widthOf();
  const handle = await page.getByRole("separator", { name: "width of the issue" }).boundingBox();
  const [x, y] = [handle?.x ?? 0, 300];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 60, y);
  await page.mouse.move(x - 120, y);
  await page.mouse.up();
  await expect.poll(async () => (await widthOf()) - before).toBeGreaterThan(80);
  const dragged = await widthOf();
  await page.reload();
  await page.locator(".row").first().waitFor();
  await expect.poll(widthOf).toBeCloseTo(dragged, 0);
});
