import { expect, onTestFinished } from "vitest";
import { browser } from "./support/chromium.ts";
import { watchFaults } from "./support/faults.ts";
import { filled, opened } from "./support/filled.ts";
import { proxyTo } from "./support/proxy.ts";
import { isLive, signIn } from "./support/states.ts";
import { type Web, webTest } from "./support/web.ts";

const TOKEN = "a-token-that-only-this-test-knows-000000";

const inChromium = webTest();
const inIdentity = webTest({ toml: `[auth]\ntoken = "${TOKEN}"\nrequire_token_identity = true\n` });

inChromium("behind a proxy the page acts as the person that the proxy names", async ({ web }) => {
  await filled(web, "One");
  const { address } = web.daemon.endpoint;
  const proxy = await proxyTo(address, TOKEN);
  await web.daemon.end("SIGTERM");
  await web.startAgain({
    toml: `[auth]
token = "${TOKEN}"
[auth.proxy]
trusted_actor_header = "X-User"
trusted_proxy_listeners = ["${address}"]
[web]
public_origin = "${proxy.origin}"
`,
  });
  proxy.signIn("ann");
  const context = await (await browser()).newContext({
    baseURL: proxy.origin,
    extraHTTPHeaders: { "x-user": "mallory" },
  });
  onTestFinished(async () => await context.close());
  const faults = await watchFaults(context, proxy.origin);
  const page = await context.newPage();
  await page.goto("/svc");
  await page.locator(".row").first().waitFor();
  await isLive(page);
  expect(await page.getByText("Who are you?").count()).toBe(0);
  await page.keyboard.press("n");
  await page.locator(".field[data-name=title] input").fill("By the proxy");
  await page.keyboard.press("Control+Enter");
  await page.locator(".row", { hasText: "By the proxy" }).waitFor();
  const headers = { authorization: `Bearer ${TOKEN}`, "x-user": "test" };
  const { body } = await web.call("GET", "/projects/1/issues", undefined, headers);
  expect(body).toMatchObject({ issues: [{ title: "By the proxy", author: "ann" }, {}] });
  // The proxy signs somebody else in: the session of the first person ends.
  proxy.signIn("bea");
  await page.reload();
  await page.locator(".row").first().waitFor();
  await page.getByText("bea").first().waitFor();
  expect(faults.seen).toEqual([]);
});

/** A person with a token, signed in on a page with an issue of a secret title. */
async function signedIn(web: Web) {
  const admin = { authorization: `Bearer ${TOKEN}` };
  const { body } = await web.call("POST", "/tokens", { actor: "ann" }, admin);
  const { plaintext } = body as { readonly plaintext: string };
  const by = { authorization: `Bearer ${plaintext}` };
  await web.call("POST", "/projects", { name: "product", actor: "-" }, by);
  await web.call("POST", "/projects/1/issues", { title: "Private plan", actor: "-" }, by);
  const page = await web.open();
  await signIn(page, plaintext);
  await page.locator(".row", { hasText: "Private plan" }).waitFor();
  return page;
}

inIdentity("after signing out neither back nor a reload shows any data", async ({ web }) => {
  const page = await signedIn(web);
  await page.locator(".row a").first().click();
  await page.keyboard.press("2");
  await page.getByRole("button", { name: "Sign out" }).click();
  const form = page.getByRole("heading", { name: "Sign in to svc" });
  const isEmpty = async (): Promise<void> => {
    await form.waitFor();
    expect(await page.content()).not.toContain("Private plan");
    expect(await page.locator(".page").count()).toBe(0);
  };
  await isEmpty();
  await page.goBack();
  await isEmpty();
  await page.reload();
  await isEmpty();
  await page.goto("about:blank");
  await page.goBack();
  await isEmpty();
});

inChromium(
  "twenty tabs work on one daemon, and hidden tabs close their event stream",
  async ({ web }) => {
    await filled(web, "One");
    const open = new Set<unknown>();
    web.context.on("request", (request) => {
      if (request.url().endsWith("/events/stream")) open.add(request);
    });
    web.context.on("requestfailed", (request) => void open.delete(request));
    web.context.on("requestfinished", (request) => void open.delete(request));
    const tabs = [];
    for (let at = 0; at < 20; at += 1) {
      const page = await opened(web);
      await isLive(page);
      // Chromium shows each of the pages that playwright opens, so hiding is told to the page alone.
      await page.evaluate(() => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
        document.dispatchEvent(new Event("visibilitychange"));
      });
      tabs.push(page);
    }
    await expect.poll(() => open.size).toBe(0);
    await web.call("POST", "/projects/1/issues", { title: "Made meanwhile", actor: "bo" });
    for (const page of [...tabs.slice(0, 2), ...tabs.slice(-2)]) {
      expect(await page.getByText("Made meanwhile").count()).toBe(0);
      await page.evaluate(() => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => false });
        document.dispatchEvent(new Event("visibilitychange"));
      });
      await page.locator(".row", { hasText: "Made meanwhile" }).waitFor();
    }
  },
  180_000,
);
