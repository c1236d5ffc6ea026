import { expect } from "vitest";
import { linked } from "./support/linked.ts";
import { webTest } from "./support/web.ts";

const inChromium = webTest({
  context: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
});

inChromium("a tap on a box opens its issue over the graph", async ({ web }) => {
  await linked(web, ["Dig", "Build"], { blocks: [[0, 1]] });
  await web.context.addInitScript(() => {
    if (location.protocol === "http:") localStorage.setItem("svc.actor", "ann");
  });
  const page = await web.open("/svc?project=plan");
  await page.getByText("Build").first().tap();
  await page.keyboard.press("3");
  const box = page.locator(".graph-box", { hasText: "Build" });
  await box.tap();
  await page.getByRole("heading", { name: "Build" }).waitFor();
  await page.getByRole("button", { name: "Back" }).tap();
  await box.waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(wide).toBe(false);
});

inChromium("two fingers zoom the drawing, and the page keeps its size", async ({ web }) => {
  const [, build] = await linked(web, ["Dig", "Build"], { blocks: [[0, 1]] });
  await web.context.addInitScript(() => {
    if (location.protocol === "http:") localStorage.setItem("svc.actor", "ann");
  });
  const page = await web.open(`/svc?screen=graph&source=${build?.uid}`);
  const box = page.locator(".graph-box", { hasText: "Build" });
  await box.waitFor();
  const canvas = await page.locator(".canvas").boundingBox();
  const [x, y] = [180, (canvas?.y ?? 0) + (canvas?.height ?? 0) / 2];
  const widthOf = async (): Promise<number> =>
    (await page.locator(".drawing").boundingBox())?.width ?? 0;
  const before = await widthOf();
  const debug = await page.context().newCDPSession(page);
  const touch = async (type: "touchStart" | "touchMove" | "touchEnd", apart: number) => {
    const points = [
      { x: x - apart, y, id: 1 },
      { x: x + apart, y, id: 2 },
    ];
    const touchPoints = type === "touchEnd" ? [] : points;
    await debug.send("Input.dispatchTouchEvent", { type, touchPoints });
  };
  await touch("touchStart", 40);
  for (const apart of [50, 60, 80]) await touch("touchMove", apart);
  await expect.poll(async () => (await widthOf()) / before).toBeGreaterThan(1.5);
  for (const apart of [60, 40, 20]) await touch("touchMove", apart);
  await expect.poll(async () => (await widthOf()) / before).toBeLessThan(0.8);
  await touch("touchEnd", 0);
  expect(await page.evaluate(() => visualViewport?.scale)).toBe(1);
  // The gesture opened nothing, and a tap still does.
  expect(await page.locator(".issue-title").count()).toBe(0);
  await box.tap();
  await page.getByRole("heading", { name: "Build" }).waitFor();
});
