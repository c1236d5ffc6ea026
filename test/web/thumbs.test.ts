import type { Page } from "playwright-core";
import { expect } from "vitest";
import { lived } from "./support/lived.ts";
import { goTo, placesOf } from "./support/places.ts";
import { webTest } from "./support/web.ts";

const inChromium = webTest({
  context: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
});

/** Controls in view that a finger misses: less than 44 pixels high or wide, or 24 within a text. */
async function small(page: Page): Promise<readonly string[]> {
  return await page.evaluate(() => {
    const CONTROLS =
      "button, a[href], input, select, textarea, summary, [role=option], [role=tab], [role=menuitem], [role=radio]";
    // A row or card takes a tap anywhere, so its title need not be large. A part of a bar is as wide as what it counts,
    // and the filter has the same. Links within a text are as high as its lines.
    const WITHIN = ".row .title, .row .request, .card, .held-card, .prose, .skip, .bar-part";
    const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
    return [...top.querySelectorAll<HTMLElement>(CONTROLS)].flatMap((control) => {
      // A tap on the words of a box counts as one on the box.
      const target = control.closest("label") ?? control;
      const { width, height, left, right, top: above, bottom } = target.getBoundingClientRect();
      const least = control.matches(".as-link, .as-text") ? 24 : 44;
      const isInView = right > 0 && left < innerWidth && bottom > 0 && above < innerHeight;
      if (!isInView || !control.checkVisibility() || width < 2 || height < 2) return [];
      if (control.closest(WITHIN) !== null || control.closest("[inert], .hidden") !== null)
        return [];
      if (width > least - 0.5 && height > least - 0.5) return [];
      const name = control.getAttribute("aria-label") ?? control.textContent.trim().slice(0, 24);
      return [
        `${control.className || control.tagName} "${name}" ${Math.round(width)}x${Math.round(height)}`,
      ];
    });
  });
}

inChromium(
  "on a phone every control is as large as a thumb",
  async ({ web }) => {
    const { uid } = await lived(web);
    const page = await web.context.newPage();
    await page.addInitScript(() => {
      if (location.protocol === "http:") localStorage.setItem("svc.actor", "ann");
    });
    const board = { path: "/svc?project=harbour", shows: ".modal" };
    const more = [
      { ...board, name: "priority", keys: ["!"] },
      { ...board, name: "label", keys: ["+"] },
      { ...board, name: "columns", keys: ["|"] },
      { ...board, name: "delete", keys: ["Delete"] },
      { ...board, name: "comment", keys: ["C"] },
      { ...board, name: "new", keys: ["n"] },
      { ...board, name: "assign", keys: ["a"] },
      { ...board, name: "filter line", keys: ["/"], shows: ".filter-bar.typing" },
      { ...board, name: "notice", keys: ["x"], shows: ".notice .button" },
      { name: "jobs", path: "/svc?screen=cron&tab=jobs&project=harbour", shows: "[role=tab]" },
    ];
    const found: string[] = [];
    for (const place of [...placesOf(uid), ...more]) {
      await goTo(page, place);
      found.push(...(await small(page)).map((control) => `${place.name}: ${control}`));
    }
    await goTo(page, { ...board, name: "drawer", shows: ".row" });
    await page.getByRole("button", { name: "screens and views" }).tap();
    await page.locator(".drawer .place").first().waitFor();
    found.push(...(await small(page)).map((control) => `drawer: ${control}`));
    expect(found).toEqual([]);
  },
  120_000,
);
