import type { Page } from "playwright-core";
import { describe, expect, onTestFinished } from "vitest";
import { golden } from "../support/golden.ts";
import { accessFaults } from "./support/axe.ts";
import { browser } from "./support/chromium.ts";
import { lived } from "./support/lived.ts";
import { goTo, placesOf } from "./support/places.ts";
import { type Web, webTest } from "./support/web.ts";

const inChromium = webTest();

type Shape = NonNullable<Parameters<Awaited<ReturnType<typeof browser>>["newContext"]>[0]>;

/** A tab of somebody who has said who they are, of a size and with colours. */
async function tab({ origin }: Web, shape: Shape): Promise<Page> {
  const context = await (await browser()).newContext({ baseURL: origin, ...shape });
  onTestFinished(async () => await context.close());
  await context.addInitScript(() => {
    if (location.protocol === "http:") localStorage.setItem("svc.actor", "ann");
  });
  return await context.newPage();
}

describe.each([
  [360, "light"],
  [360, "dark"],
  [1280, "light"],
  [1280, "dark"],
] as const)("a page %s pixels wide and %s", (width, colorScheme) => {
  inChromium(
    "axe finds no fault in any view or dialog",
    async ({ web }) => {
      const { uid } = await lived(web);
      const faults: string[] = [];
      const page = await tab(web, { viewport: { width, height: 800 }, colorScheme });
      for (const place of placesOf(uid)) {
        await goTo(page, place);
        const found = await accessFaults(page);
        faults.push(...found.map((fault) => `${place.name}: ${fault}`));
      }
      expect(faults).toEqual([]);
    },
    90_000,
  );
});

describe("the form that asks for a token", () => {
  const TOKEN = "a-token-that-only-this-test-knows-000000";
  const inChromium = webTest({
    toml: `[auth]\ntoken = "${TOKEN}"\nrequire_token_identity = true\n`,
  });
  inChromium(
    "axe finds no fault in the form that asks for a token, in light and dark colours",
    async ({ web }) => {
      for (const colorScheme of ["light", "dark"] as const) {
        const page = await tab(web, { viewport: { width: 360, height: 800 }, colorScheme });
        await page.goto("/svc");
        await page.getByLabel("Token").waitFor();
        await expect.poll(async () => await accessFaults(page)).toEqual([]);
      }
    },
  );
});

describe("the accessible names", () => {
  /** Ids and times differ in each run. */
  const stable = (text: string): string =>
    text
      .replaceAll(/[0-9A-HJKMNP-TV-Z]{26}/g, "UID")
      .replaceAll(/harbour#(?!none)[0-9a-z]{4,}/g, "harbour#id")
      .replaceAll(/(?<![\w#])#(?!none)[0-9a-z]{4,}/g, "#id")
      .replaceAll(/\b\d+ ?\w+ ago\b/g, "now")
      .replaceAll("just now", "now");

  inChromium("the accessible names of the board and of an issue are complete", async ({ web }) => {
    const { uid } = await lived(web);
    const page = await tab(web, { viewport: { width: 1280, height: 800 } });
    for (const place of placesOf(uid).filter(({ name }) => ["board", "detail"].includes(name))) {
      await goTo(page, place);
      await page.locator(".connection", { hasText: "live" }).waitFor();
      await page.getByRole("tab", { name: /History \d/ }).waitFor();
      const told = `${stable(await page.locator("body").ariaSnapshot())}\n`;
      expect(told).toBe(golden(`test/golden/page/${place.name}.txt`, told));
    }
  });
});

describe("a page with forced colours or reduced motion", () => {
  inChromium("shows the cursor, marks and focus without its own colours", async ({ web }) => {
    await lived(web);
    const page = await tab(web, { forcedColors: "active" });
    await page.goto("/svc?project=harbour");
    await page.locator(".row").nth(1).waitFor();
    await page.keyboard.press("Space");
    const look = async (selector: string): Promise<unknown> =>
      await page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const { borderLeftColor, outlineStyle, backgroundColor } = getComputedStyle(element);
          return [borderLeftColor, outlineStyle, backgroundColor];
        });
    expect(await look(".row[data-cursor=true]")).not.toEqual(
      await look(".row:not([data-cursor=true])"),
    );
    expect(await look(".place[aria-current]")).not.toEqual(
      await look(".place:not([aria-current])"),
    );
    expect(await accessFaults(page)).toEqual([]);
    await page.keyboard.press(":");
    expect(await look(".option[aria-selected=true]")).not.toEqual(
      await look(".option[aria-selected=false]"),
    );
    await page.keyboard.press("Escape");
    await page.keyboard.press("n");
    expect(await look(".choices [aria-checked=true]")).not.toEqual(
      await look(".choices [aria-checked=false]"),
    );
  });

  inChromium("does not animate if the person prefers reduced motion", async ({ web }) => {
    const { uid } = await lived(web);
    const page = await tab(web, { reducedMotion: "reduce", viewport: { width: 800, height: 800 } });
    for (const place of placesOf(uid).filter(({ name }) => ["detail", "palette"].includes(name))) {
      await page.goto(place.path);
      await page.locator(".row, .description").first().waitFor();
      for (const key of place.keys ?? []) await page.keyboard.press(key);
      await page.locator(place.shows).first().waitFor();
      const longest = await page.evaluate(() => {
        const timings = document.getAnimations().map(({ effect }) => effect?.getComputedTiming());
        return Math.max(0, ...timings.map((timing) => Number(timing?.endTime ?? 0)));
      });
      expect([place.name, longest]).toEqual([place.name, 0]);
    }
  });
});
