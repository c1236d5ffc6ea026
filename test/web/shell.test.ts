import { describe, expect, onTestFinished } from "vitest";
import { browser } from "./support/chromium.ts";
import { foreignPage } from "./support/foreign-site.ts";
import { REBOUND } from "./support/installed-chromium.ts";
import { type Web, webTest } from "./support/web.ts";

const inChromium = webTest();

inChromium(
  "the page loads everything from its own origin, and the browser blocks nothing of it",
  async ({ web }) => {
    const page = await web.open();
    await page.locator("#root > *").first().waitFor();
    expect(await page.title()).toBe("svc");
    const loaded = await page.evaluate(() => {
      return performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
    });
    const assets = loaded.filter((path) => path.startsWith("/svc/assets/"));
    expect(assets.length).toBeGreaterThan(1);
  },
);

inChromium("a page that is reloaded takes its assets from the cache", async ({ web }) => {
  const page = await web.open();
  await page.locator("#root > *").first().waitFor();
  const asked: string[] = [];
  page.on("response", (answer) => {
    if (!answer.fromServiceWorker()) asked.push(new URL(answer.url()).pathname);
  });
  await page.goto("/svc?again");
  await page.locator("#root > *").first().waitFor();
  const sizes = await page.evaluate(() => {
    return performance
      .getEntriesByType("resource")
      .filter(({ name }) => name.includes("/svc/assets/"))
      .map((entry) => Reflect.get(entry, "transferSize"));
  });
  expect(asked).toContain("/svc");
  expect(sizes.length).toBeGreaterThan(1);
  expect(new Set(sizes)).toEqual(new Set([0]));
});

inChromium(
  "the frame of the page is visible before the scripts arrive, and does not change afterwards",
  async ({ web }) => {
    const page = await web.context.newPage();
    const shell = page.locator(".shell");
    const come = Promise.withResolvers<void>();
    await page.route(/\.js$/, async (route) => {
      await come.promise;
      await route.continue();
    });
    await page.goto("/svc", { waitUntil: "commit" });
    await shell.waitFor();
    expect(await shell.textContent()).toBe("svc");
    expect(await page.locator("#root > *").count()).toBe(0);
    come.resolve();
    await page.locator("#root > *").first().waitFor();
    expect(await shell.isVisible()).toBe(false);
  },
);

/** Another site in the same browser; what it does wrong is no fault of the page. */
async function visit({ origin }: Web, html: (origin: string) => string) {
  const context = await (await browser()).newContext();
  onTestFinished(async () => await context.close());
  const page = await context.newPage();
  await page.goto(await foreignPage(html(origin)));
  return page;
}

describe("another site's page", () => {
  inChromium("cannot frame the page", async ({ web }) => {
    const page = await visit(web, (origin) => `<iframe src="${origin}/svc"></iframe>`);
    const framed = (): string | undefined =>
      page
        .frames()
        .find((found) => found !== page.mainFrame())
        ?.url();
    await expect.poll(framed).toBe("chrome-error://chromewebdata/");
    expect(await page.locator("iframe").contentFrame().locator("#root").count()).toBe(0);
  });

  inChromium("gets no access to the page that it opened in a window", async ({ web }) => {
    const page = await visit(web, (origin) => `<a href="${origin}/svc" target="w">open</a>`);
    const opened = page.context().waitForEvent("page");
    await page.getByText("open").click();
    const window = await opened;
    await window.locator("#root > *").first().waitFor();
    expect(await window.evaluate(() => opener === null)).toBe(true);
    expect(new URL(window.url()).pathname).toBe("/svc");
  });

  inChromium("cannot load the files of the page", async ({ web }) => {
    const page = await visit(web, () => "<p>other</p>");
    const seen = await page.evaluate(async (url) => {
      const answer = await fetch(url, { mode: "no-cors" }).catch((error: Error) => error.name);
      return typeof answer === "string" ? answer : answer.type;
    }, `${web.origin}/svc`);
    expect(seen).toBe("TypeError");
  });

  inChromium(
    "cannot reach the daemon by a host name of its own that points at the daemon",
    async ({ web }) => {
      const page = await visit(web, () => "<p>other</p>");
      const rebound = web.origin.replace("127.0.0.1", REBOUND);
      for (const path of ["/svc", "/", "/api/v1/projects"]) {
        const answer = await page.goto(rebound + path);
        expect([answer?.status(), await answer?.json()]).toMatchObject([
          400,
          { error: { code: "host_invalid" } },
        ]);
      }
    },
  );
});
