import { expect } from "vitest";
import { filled, opened } from "./support/filled.ts";
import { openAs } from "./support/sign-in.ts";
import { webTest } from "./support/web.ts";

const inChromium = webTest();

inChromium(
  "a screen whose script cannot be loaded leaves the page unchanged, and appears once the script can be loaded",
  async ({ web }) => {
    await filled(web, "One");
    let isUp = false;
    let refused = 0;
    await web.context.route("**/svc/assets/*.js*", async (route) => {
      const answer = await route.fetch();
      const isGraph = (await answer.text()).includes("Critical path");
      if (!isGraph || isUp) return await route.fulfill({ response: answer });
      refused += 1;
      await route.abort();
    });
    const page = await opened(web);
    await page.keyboard.press("3");
    await expect.poll(() => refused).toBeGreaterThan(1);
    expect(await page.locator(".page nav").first().isVisible()).toBe(true);
    isUp = true;
    await page.getByRole("button", { name: "Critical path" }).waitFor();
    await web.context.unrouteAll({ behavior: "wait" });
  },
);

inChromium("a browser that forbids storage still shows the issues", async ({ web }) => {
  await filled(web, "One");
  await web.context.addInitScript(() => {
    Object.defineProperty(globalThis, "localStorage", {
      get: () => {
        throw new DOMException("storage is forbidden", "SecurityError");
      },
    });
  });
  const page = await openAs(web, "ann");
  await page.locator(".row", { hasText: "One" }).waitFor();
  await page.keyboard.press("|");
  await page.keyboard.press("Escape");
  await page.keyboard.press("x");
  await page.locator(".notice", { hasText: "closed" }).waitFor();
});

inChromium("a browser that refuses to change the address still sends changes", async ({ web }) => {
  await filled(web, "One");
  const page = await opened(web);
  await page.evaluate(() => {
    const refuse = (): never => {
      throw new DOMException("too many calls", "SecurityError");
    };
    Object.assign(history, { pushState: refuse, replaceState: refuse });
  });
  await page.keyboard.press("v");
  await page.keyboard.press("x");
  await page.locator(".notice", { hasText: "closed" }).waitFor();
  const { body } = await web.call("GET", "/projects/1/issues?status=closed");
  expect(body).toMatchObject({ issues: [{ title: "One" }] });
});
