import type { Page } from "playwright-core";
import { expect } from "vitest";
import { FIRST_BOXES, LIMIT_MS, MAX_BOXES } from "../../web/graph/client.ts";
import { accessFaults } from "./support/axe.ts";
import { chain, graphOf, linked } from "./support/linked.ts";
import { webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 800 } } });

const box = (page: Page, title: string) =>
  page.locator(".graph-box", { has: page.locator("text.title", { hasText: title }) });
const cursor = (page: Page) => page.locator('.list-line[data-cursor="true"]');

async function middleOf(page: Page, title: string) {
  const { x, y, width, height } = (await box(page, title).locator("rect").boundingBox()) ?? {
    ...{ x: 0, y: 0, width: 0, height: 0 },
  };
  return { x: x + width / 2, y: y + height / 2 };
}

inChromium("the picture has arrows to the right and marks the critical path", async ({ web }) => {
  await linked(web, ["Dig", "Build", "Move in", "Paint"], {
    blocks: [
      [0, 1],
      [1, 2],
      [3, 2],
    ],
  });
  const page = await graphOf(web, "Move in");
  await box(page, "Paint").waitFor();
  const [dig, build, move] = await Promise.all(
    ["Dig", "Build", "Move in"].map(async (title) => await middleOf(page, title)),
  );
  expect(dig?.x).toBeLessThan(build?.x ?? 0);
  expect(build?.x).toBeLessThan(move?.x ?? 0);
  const states = await page.locator(".graph-box").evaluateAll((boxes) =>
    boxes.map((one) => {
      const { state, critical } = (one as unknown as HTMLElement).dataset;
      return [one.querySelector(".title")?.textContent, state, critical].join(" ");
    }),
  );
  expect(states.sort()).toEqual(["Build b true", "Dig o true", "Move in b true", "Paint o false"]);
  expect(await page.locator(".link.blocks").count()).toBe(3);
  expect(await page.locator(".link.critical").count()).toBe(2);
});

inChromium(
  "keys move the cursor in the list and in the picture, and a click opens an issue",
  async ({ web }) => {
    await linked(web, ["Dig", "Build"], { blocks: [[0, 1]] });
    const page = await graphOf(web, "Build");
    await page.locator('.graph-box[data-cursor="true"]', { hasText: "Build" }).waitFor();
    await page.keyboard.press("j");
    await page.locator('.graph-box[data-cursor="true"]', { hasText: "Dig" }).waitFor();
    expect(await cursor(page).innerText()).toContain("Dig");
    await box(page, "Build").click();
    await page
      .getByRole("region", { name: /issue plan#/ })
      .getByText("Build")
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Back" }).click();
    expect(await cursor(page).innerText()).toContain("Build");
  },
);

inChromium("issues folded in the list are not in the picture", async ({ web }) => {
  await linked(web, ["Dig", "Build", "Move in"], {
    blocks: [
      [0, 1],
      [1, 2],
    ],
  });
  const page = await graphOf(web, "Move in");
  await box(page, "Dig").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("ArrowLeft");
  await box(page, "Dig").waitFor({ state: "detached" });
  await expect.poll(async () => await page.locator(".graph-box").count()).toBe(2);
  await page.keyboard.press("ArrowLeft");
  await box(page, "Dig").waitFor();
});

inChromium(
  "buttons and ctrl with the wheel zoom the picture, and a drag moves it",
  async ({ web }) => {
    await chain(web, 20);
    const page = await graphOf(web, "Step 20");
    await box(page, "Step 20").waitFor();
    const width = async () =>
      (await box(page, "Step 20").locator("rect").boundingBox())?.width ?? 0;
    const before = await width();
    await page.getByRole("button", { name: "Larger" }).click();
    await expect.poll(width).toBeCloseTo(before * 1.25, 0);
    await page.getByRole("button", { name: "Smaller" }).click();
    await expect.poll(width).toBeCloseTo(before, 0);

    const { x, y } = await middleOf(page, "Step 20");
    await page.mouse.move(x, y);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -150);
    await page.keyboard.up("Control");
    await expect.poll(width).toBeGreaterThan(before * 1.3);
    const held = await middleOf(page, "Step 20");
    expect(Math.abs(held.x - x)).toBeLessThan(3);

    await page.mouse.down();
    await page.mouse.move(x + 150, y, { steps: 4 });
    await page.mouse.up();
    const moved = await middleOf(page, "Step 20");
    expect(Math.round(moved.x - held.x)).toBe(150);
    // The drag began on a box, and is no click on it.
    expect(await page.getByRole("button", { name: "Back" }).count()).toBe(0);

    await page.getByRole("button", { name: "Show all of it" }).click();
    await expect.poll(width).toBeLessThan(before);
    const canvas = page.locator(".canvas");
    expect(await canvas.evaluate((pane) => pane.scrollWidth - pane.clientWidth)).toBe(0);
  },
);

inChromium(
  "of 500 issues the nearest are drawn first, and all of them within a time limit",
  async ({ web }) => {
    await chain(web, 500);
    const page = await graphOf(web, "Step 500");
    await page.getByText(`The ${FIRST_BOXES} nearest of 500 issues.`).waitFor();
    expect(await page.locator(".graph-box").count()).toBe(FIRST_BOXES);
    await box(page, "Step 201").waitFor({ state: "attached" });
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Draw all" }).click();
    await page
      .locator(".graph-box")
      .nth(499)
      .waitFor({ timeout: LIMIT_MS + 5000 });
    await page.locator('.graph-box[data-cursor="true"]', { hasText: "Step 500" }).waitFor();
    expect(await page.locator(".link.critical").count()).toBe(499);
    // The cursor is at the far end of the chain, and in view.
    const view = await page.locator(".canvas").boundingBox();
    await expect
      .poll(async () => {
        const { x } = await middleOf(page, "Step 500");
        return view !== null && x > view.x && x < view.x + view.width;
      })
      .toBe(true);
  },
);

inChromium(
  "of a graph that is too large for a picture only the nearest issues are drawn",
  async ({ web }) => {
    const count = MAX_BOXES + 1;
    await chain(web, count);
    const page = await graphOf(web, `Step ${count}`);
    await page
      .getByText(`The ${FIRST_BOXES} nearest of ${count} issues. The list has all of them.`)
      .waitFor();
    expect(await page.locator(".graph-box").count()).toBe(FIRST_BOXES);
    await expect.poll(async () => await page.locator(".list-line").count()).toBeGreaterThan(5);
  },
);

inChromium("the picture can be hidden, and stays hidden at the next visit", async ({ web }) => {
  await linked(web, ["Dig", "Build"], { blocks: [[0, 1]] });
  const page = await graphOf(web, "Build");
  await box(page, "Dig").waitFor();
  expect(await accessFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Picture" }).click();
  await box(page, "Dig").waitFor({ state: "detached" });
  await page.goto("/svc?project=plan");
  await page.getByText("Build", { exact: true }).first().click();
  await page.keyboard.press("3");
  await page.getByRole("button", { name: "Picture", pressed: false }).waitFor();
});
