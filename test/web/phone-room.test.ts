import type { Page } from "playwright-core";
import { expect } from "vitest";
import { fleetOf, some } from "./support/fleet.ts";
import { linked } from "./support/linked.ts";
import { type Web, webTest } from "./support/web.ts";

const SIZE = { width: 360, height: 740 };
const inChromium = webTest({ context: { viewport: SIZE, hasTouch: true, isMobile: true } });

async function opened(web: Web, path: string): Promise<Page> {
  await web.context.addInitScript(() => {
    if (location.protocol === "http:") localStorage.setItem("svc.actor", "ann");
  });
  return await web.open(path);
}

inChromium("on a phone every part of the filter is fully visible", async ({ web }) => {
  await linked(web, ["Dig"], { blocks: [] });
  const many = "status:open label:safety owner:worker-1 priority:1 a-long-word-to-look-for";
  for (const filter of ["", many]) {
    const page = await opened(web, `/svc?project=plan${filter === "" ? "" : `&filter=${filter}`}`);
    await page.locator(".chip").first().waitFor();
    const chips = await page.locator(".chip").evaluateAll((all) =>
      all.map((chip) => {
        const { left, right } = chip.getBoundingClientRect();
        const list = chip.closest(".chips")?.getBoundingClientRect();
        return left >= (list?.left ?? 0) && right <= (list?.right ?? 0) + 0.5;
      }),
    );
    expect(chips).toEqual(chips.map(() => true));
    expect(chips).toHaveLength(filter === "" ? 1 : 5);
    // The choices of view and order stay beside each other.
    const picks = await page
      .locator(".pick")
      .evaluateAll((all) => all.map((pick) => Math.round(pick.getBoundingClientRect().top)));
    expect(new Set(picks).size).toBe(1);
    expect(await page.getByRole("button", { name: filter === "" ? "Filter" : "Add" }).count()).toBe(
      1,
    );
  }
});

inChromium(
  "on a phone the buttons of the graph are on one line, which scrolls to the last of them",
  async ({ web }) => {
    const [, build] = await linked(web, ["Dig", "Build"], { blocks: [[0, 1]] });
    const page = await opened(web, `/svc?screen=graph&source=${build?.uid}`);
    await page.locator(".graph-box").first().waitFor();
    const tops = await page
      .locator(".tool-acts .button")
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
    expect(tops.length).toBeGreaterThan(5);
    expect(new Set(tops).size).toBe(1);
    await page.getByRole("button", { name: "Picture" }).tap();
    await page.locator(".graph-box").first().waitFor({ state: "detached" });
  },
);

inChromium(
  "on a phone the commands for an issue are a sheet at the bottom that names the issue",
  async ({ web }) => {
    await linked(web, ["Dig", "Build"], { blocks: [] });
    const page = await opened(web, "/svc?project=plan");
    await page.getByText("Dig").first().click({ button: "right" });
    const menu = page.locator(".menu");
    await menu.getByText("Dig").waitFor();
    // The sheet moves up while it opens.
    await expect
      .poll(async () => {
        const { y, height } = (await menu.boundingBox()) ?? { y: 0, height: 0 };
        return y + height;
      })
      .toBe(SIZE.height);
    const box = await menu.boundingBox();
    expect(box?.x).toBe(0);
    expect(box?.width).toBe(SIZE.width);
    expect(box?.height).toBeLessThan(SIZE.height * 0.75);
    const least = await menu
      .getByRole("menuitem")
      .evaluateAll((all) => Math.min(...all.map((one) => one.getBoundingClientRect().height)));
    expect(least).toBeGreaterThanOrEqual(44);
    await menu.getByRole("menuitem", { name: "Copy the link" }).scrollIntoViewIfNeeded();
    await page.touchscreen.tap(SIZE.width / 2, 60);
    await menu.waitFor({ state: "detached" });
  },
);

inChromium(
  "on a phone a person's name is above their cards in the fleet, and nothing scrolls sideways",
  async ({ web }) => {
    const page = await fleetOf(web, [...some(5, "bo"), ...some(1, "cy")]);
    const bo = page.locator(".fleet-lane", { hasText: "bo" });
    const who = await bo.locator(".fleet-who").boundingBox();
    const cards = await bo.locator(".held-card").first().boundingBox();
    expect(cards?.y).toBeGreaterThanOrEqual((who?.y ?? 0) + (who?.height ?? 0));
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(
      false,
    );
    await bo.getByText("Task").nth(1).tap();
    expect(await page.locator('.held-card[data-cursor="true"]').innerText()).toContain("bo");
  },
);
