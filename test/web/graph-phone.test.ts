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
