import type { Page } from "playwright-core";
import { expect } from "vitest";
import { filled, opened } from "./support/filled.ts";
import { cardOf, cards, laneOf, made, openLanes } from "./support/lanes.ts";
import { webTest } from "./support/web.ts";

const inChromium = webTest({
  context: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
});

interface Finger {
  move(x: number, y: number): Promise<void>;
  up(): Promise<void>;
}

/** Puts a finger on the page, which stays until it is lifted. */
async function press(page: Page, x: number, y: number): Promise<Finger> {
  const browser = await page.context().newCDPSession(page);
  const send = async (type: "touchStart" | "touchMove" | "touchEnd", points: object[]) => {
    await browser.send("Input.dispatchTouchEvent", { type, touchPoints: points as [] });
  };
  await send("touchStart", [{ x, y }]);
  return {
    move: async (toX, toY) => await send("touchMove", [{ x: toX, y: toY }]),
    up: async () => await send("touchEnd", []),
  };
}

async function middleOf(page: Page, title: string, row: string): Promise<[number, number]> {
  const box = await page.locator(row, { hasText: title }).boundingBox();
  if (box === null) throw new Error(`${title} is not in the window`);
  return [box.x + box.width / 2, box.y + box.height / 2];
}

inChromium(
  "a finger that rests on a row opens the row's menu, and lifting the finger does not close it",
  async ({ web }) => {
    await filled(web, "One", "Two");
    const page = await opened(web);
    const finger = await press(page, ...(await middleOf(page, "One", ".row")));
    const menu = page.getByRole("menu", { name: "commands on the issue" });
    await menu.waitFor();
    await finger.up();
    expect(await page.locator(".row[data-cursor=true] .title a").textContent()).toBe("One");
    expect(await page.locator(".issue-title").count()).toBe(0);
    await menu.getByRole("menuitem", { name: "mark" }).tap();
    expect(await page.locator(".row[aria-selected=true]").innerText()).toContain("One");
    expect(await menu.count()).toBe(0);
  },
);

inChromium("a card is moved to a lane by its menu, and a finger drags no card", async ({ web }) => {
  await web.call("POST", "/projects", { name: "product", actor: "ann" });
  await made(web, "Of cy", { owner: "cy" });
  await made(web, "Of bo", { owner: "bo" });
  const page = await openLanes(web, "owners");
  await page.locator(".lanes").evaluate((lanes: HTMLElement) => {
    lanes.addEventListener("scrollend", () => (lanes.dataset["rests"] = "true"), { once: true });
  });
  const [x, y] = await middleOf(page, "Of bo", ".card");
  const moving = await press(page, x, y);
  for (const by of [20, 60, 120]) await moving.move(x - by, y);
  expect(await page.locator(".ghost").count()).toBe(0);
  await moving.up();
  // Until the lanes that the finger pushed have stopped, the browser overrides where a program scrolls.
  await page.locator(".lanes[data-rests]").waitFor();
  await page.locator(".lane-pick select").selectOption({ label: "bo · 1" });
  await expect.poll(async () => (await laneOf(page, "bo").boundingBox())?.x).toBe(0);
  const finger = await press(page, ...(await middleOf(page, "Of bo", ".card")));
  await page.getByRole("menuitem", { name: "carry to a lane" }).waitFor();
  await finger.up();
  await page.getByRole("menuitem", { name: "carry to a lane" }).tap();
  await page.getByRole("option", { name: "give to cy" }).tap();
  await expect.poll(async () => await cards(page)).toEqual({ cy: ["Of bo", "Of cy"] });
});

inChromium(
  "one lane is visible at a time, and a list of lanes leads to a distant one",
  async ({ web }) => {
    await web.call("POST", "/projects", { name: "product", actor: "ann" });
    for (let at = 0; at < 12; at += 1) await made(web, `Of o${at}`, { owner: `o${at}` });
    const page = await openLanes(web, "owners");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    const pick = page.locator(".lane-pick select");
    expect(await pick.locator("option").count()).toBe(12);
    await pick.selectOption({ label: "o9 · 1" });
    await cardOf(page, "Of o9").tap();
    await expect.poll(async () => await page.locator(".issue-title").textContent()).toBe("Of o9");
  },
);

inChromium("columns can be chosen on a sheet, without a keyboard", async ({ web }) => {
  await filled(web, "One");
  const page = await opened(web);
  await page.getByRole("button", { name: "Columns" }).tap();
  const owner = page.getByRole("menuitemcheckbox", { name: "owner" });
  expect(await owner.getAttribute("aria-checked")).toBe("true");
  expect(await owner.locator(".tick").isVisible()).toBe(true);
  await owner.tap();
  expect(await owner.getAttribute("aria-checked")).toBe("false");
  await page.getByRole("menuitem", { name: "as usual" }).tap();
  expect(await owner.getAttribute("aria-checked")).toBe("true");
  await page.getByRole("button", { name: "Done" }).tap();
  expect(await owner.count()).toBe(0);
});
