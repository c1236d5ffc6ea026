import type { Page } from "playwright-core";
import { expect } from "vitest";
import { accessFaults } from "./support/axe.ts";
import { fleetOf, some } from "./support/fleet.ts";
import { webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 800 } } });

// By its name, since an issue in another lane can have these letters in its id.
const lane = (page: Page, name: string) =>
  page.locator(".fleet-lane").and(page.getByRole("row", { name: new RegExp(`^${name} `) }));
const titles = async (page: Page, name: string) =>
  await lane(page, name).locator(".card-title").allInnerTexts();
const cursor = (page: Page) => page.locator('.held-card[data-cursor="true"]');

inChromium(
  "each person has a lane, and a click or a key shows the further cards of a lane",
  async ({ web }) => {
    const page = await fleetOf(web, [...some(7, "bo"), ...some(1, "cy")]);
    expect(await page.locator(".fleet-lane").count()).toBe(2);
    expect(await lane(page, "bo").innerText()).toContain("7 issues");
    const first = await titles(page, "bo");
    expect(first.length).toBeGreaterThan(1);
    expect(first.length).toBeLessThan(7);
    await lane(page, "bo")
      .getByRole("gridcell", { name: `${7 - first.length} more` })
      .click();
    await expect.poll(async () => await titles(page, "bo")).not.toEqual(first);
    expect(await cursor(page).count()).toBe(1);
    await page.keyboard.press("k");
    await expect.poll(async () => await titles(page, "bo")).toEqual(first);
    // What the screen reader is told to be on is in the document.
    const active = await page.locator(".window-list").getAttribute("aria-activedescendant");
    expect(await cursor(page).getAttribute("id")).toBe(active);
    expect(await accessFaults(page)).toEqual([]);
    const name = await cursor(page).locator(".card-title").innerText();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name }).waitFor();
  },
);

inChromium(
  "the list shows the same issues as the lanes, and the choice of the list lasts until the next visit",
  async ({ web }) => {
    const page = await fleetOf(web, [...some(2, "bo"), ...some(1, "cy")]);
    await page.getByRole("button", { name: "Lanes", pressed: true }).click();
    await page.locator(".list-line").nth(2).waitFor();
    expect(await page.locator(".fleet-lane").count()).toBe(0);
    await page.reload();
    await page.locator(".list-line").nth(2).waitFor();
    await page.getByRole("button", { name: "Lanes", pressed: false }).click();
    await lane(page, "cy").waitFor();
  },
);

inChromium("of 300 people only those in the window are in the document", async ({ web }) => {
  const held = Array.from({ length: 300 }, (_, at) => ({ title: `Task ${at}`, owner: `w${at}` }));
  const page = await fleetOf(web, held);
  await page.getByText("300 holders of 300 issues").waitFor();
  expect(await page.locator(".fleet-lane").count()).toBeLessThan(40);
  await page.keyboard.press("End");
  await expect.poll(async () => await cursor(page).count()).toBe(1);
  const box = await cursor(page).boundingBox();
  expect(box?.y).toBeGreaterThan(0);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(800);
  expect(await page.locator(".fleet-lane").count()).toBeLessThan(40);
});
