import { expect } from "vitest";
import { accessFaults } from "./support/axe.ts";
import { cardOf, cards, cursorOf, laneOf, made, openLanes } from "./support/lanes.ts";
import { type Web, webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 800 } } });

async function filled(web: Web): Promise<void> {
  await web.call("POST", "/projects", { name: "product", actor: "ann" });
  await made(web, "Later", { metadata: { someday: true } });
  await made(web, "Second", { owner: "bo" });
  await made(web, "First", { owner: "cy", priority: 1, labels: ["bug", "api"] });
}

inChromium(
  "lanes by state have counts, keys move between them, and an empty lane says that it is empty",
  async ({ web }) => {
    await filled(web);
    const page = await openLanes(web, "states");
    expect(await cards(page)).toEqual({
      Blocked: [],
      Ready: ["First", "Second"],
      Waiting: ["Later"],
      Closed: [],
    });
    expect(await page.locator(".lane-head").allInnerTexts()).toEqual([
      expect.stringMatching(/^Blocked\s+0$/),
      expect.stringMatching(/^Ready\s+2$/),
      expect.stringMatching(/^Waiting\s+1$/),
      expect.stringMatching(/^Closed 7d\s+0$/),
    ]);
    expect(await laneOf(page, "Blocked").innerText()).toContain("None is blocked");
    expect(await laneOf(page, "Closed").innerText()).toContain("None was closed in 7 days");
    await page.keyboard.press("g");
    expect(await cursorOf(page)).toBe("First");
    await page.keyboard.press("j");
    expect(await cursorOf(page)).toBe("Second");
    await page.keyboard.press("ArrowRight");
    expect(await cursorOf(page)).toBe("Later");
    const focused = page.locator(".window-list:focus");
    expect(await focused.getAttribute("aria-label")).toBe("Waiting: 1 issues");
    await page.keyboard.press("ArrowRight");
    await page.getByText("no lane is further right").first().waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await page.locator(".issue-title").waitFor();
  },
);

inChromium("tab moves the focus from lane to lane, and the cursor with it", async ({ web }) => {
  await filled(web);
  const page = await openLanes(web, "owners");
  await page.keyboard.press("g");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  expect(await cursorOf(page)).toBe("Second");
  await page.keyboard.press("Tab");
  await expect.poll(async () => await cursorOf(page)).toBe("First");
});

inChromium(
  "a click opens a card, and a click with shift marks a range of its lane",
  async ({ web }) => {
    await filled(web);
    const page = await openLanes(web, "states");
    await page.keyboard.press("g");
    await page.keyboard.press("Space");
    await cardOf(page, "Second").click({ modifiers: ["Shift"] });
    await expect
      .poll(async () => await page.locator(".card[aria-selected=true] .card-title").allInnerTexts())
      .toEqual(["First", "Second"]);
    await cardOf(page, "Later").click();
    await expect.poll(async () => await page.locator(".issue-title").textContent()).toBe("Later");
  },
);

inChromium(
  "the menu of a card acts on that card, and moves it to another lane",
  async ({ web }) => {
    await filled(web);
    const page = await openLanes(web, "owners");
    await cardOf(page, "Second").click({ button: "right" });
    await page.getByRole("menuitem", { name: "carry to a lane" }).click();
    await page.getByRole("option", { name: "give to cy" }).click();
    await expect.poll(async () => (await cards(page))["cy"]).toEqual(["Second", "First"]);
  },
);

inChromium(
  "of 300 owners only the lanes in the window are in the document, and keys reach the last lane",
  async ({ web }) => {
    await filled(web);
    const owners = Array.from({ length: 300 }, (_none, at) => `o${String(at).padStart(3, "0")}`);
    for (const owner of owners) await made(web, `Of ${owner}`, { owner });
    const page = await openLanes(web, "owners");
    await expect.poll(async () => await page.locator(".lane").count()).toBeLessThan(9);
    const wide = page.locator(".lanes");
    expect(await wide.evaluate((lanes) => lanes.scrollWidth)).toBeGreaterThan(300 * 250);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
    await cardOf(page, "First").click();
    await page.keyboard.press("Escape");
    for (let at = 0; at < 12; at += 1) await page.keyboard.press("ArrowRight");
    await expect.poll(async () => await cursorOf(page)).toBe("Of o011");
    await page.locator(".card[data-cursor=true]").waitFor();
    await wide.evaluate((lanes) => lanes.scrollTo({ left: lanes.scrollWidth }));
    await laneOf(page, "").waitFor();
    await expect.poll(async () => await page.locator(".lane").count()).toBeLessThan(10);
    await cardOf(page, "Later").click({ button: "right" });
    await page.getByRole("menuitem", { name: "carry to a lane" }).click();
    await page.locator(".modal").waitFor();
    await page.keyboard.type("o150");
    await page.keyboard.press("Enter");
    await expect.poll(async () => await cursorOf(page)).toBe("Later");
    await expect.poll(async () => (await cards(page))["o150"]?.[0]).toBe("Later");
  },
);

inChromium(
  "of many cards in a lane only those in the window are in the document",
  async ({ web }) => {
    await web.call("POST", "/projects", { name: "product", actor: "ann" });
    for (let at = 0; at < 60; at += 1) await made(web, `Issue ${at}`);
    const page = await openLanes(web, "states");
    expect(await page.locator(".card").count()).toBeLessThan(20);
    await page.keyboard.press("G");
    await expect.poll(async () => await cursorOf(page)).toBe("Issue 0");
    await page.locator(".card[data-cursor=true]").waitFor();
    await expect.poll(async () => await page.locator(".card").count()).toBeLessThan(20);
  },
);

inChromium(
  "a change by somebody else moves no other card than the changed one",
  async ({ web }) => {
    await filled(web);
    const page = await openLanes(web, "owners");
    await expect.poll(async () => await page.locator(".connection").textContent()).toBe("live");
    const spot = async (title: string): Promise<unknown> => await cardOf(page, title).boundingBox();
    await cardOf(page, "First").hover();
    const before = await spot("First");
    await made(web, "Of bo", { owner: "bo" });
    await cardOf(page, "Of bo").waitFor();
    expect(await spot("First")).toEqual(before);
  },
);

inChromium("axe finds no fault in lanes", async ({ web }) => {
  await filled(web);
  for (const view of ["states", "owners"] as const) {
    const page = await openLanes(web, view);
    expect(await accessFaults(page)).toEqual([]);
    await page.close();
  }
});

inChromium(
  "a key that enters a lane scrolled by the wheel moves to a visible card",
  async ({ web }) => {
    await web.call("POST", "/projects", { name: "product", actor: "ann" });
    await made(web, "Later", { metadata: { someday: true } });
    for (let at = 0; at < 30; at += 1) await made(web, `Ready ${at}`, { force_new: true });
    const page = await openLanes(web, "states");
    const ready = laneOf(page, "Ready").locator(".window-list");
    await page.keyboard.press("g");
    await page.keyboard.press("ArrowRight");
    await expect.poll(async () => await cursorOf(page)).toBe("Later");
    await ready.hover();
    await page.mouse.wheel(0, 1500);
    const top = async () => await ready.evaluate(({ scrollTop }) => scrollTop);
    await expect.poll(top).toBe(1500);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(async () => await cursorOf(page)).toMatch(/^Ready/);
    // The card at the edge comes wholly into view, with the one before it.
    expect(Math.abs((await top()) - 1500)).toBeLessThan(2 * 112);
  },
);
