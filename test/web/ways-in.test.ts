import type { Page } from "playwright-core";
import { describe, expect, onTestFinished } from "vitest";
import { faultsInBothColours } from "./support/axe.ts";
import { browser } from "./support/chromium.ts";
import { filled, opened } from "./support/filled.ts";
import { proxyTo } from "./support/proxy.ts";
import { isLive, signIn } from "./support/states.ts";
import { type Web, webTest } from "./support/web.ts";

const TOKEN = "a-token-that-only-this-test-knows-000000";
const ADMIN = { authorization: `Bearer ${TOKEN}` };

const inChromium = webTest();

const who = (page: Page) => page.locator(".who").first();
const form = (page: Page) => page.getByRole("heading", { name: "Sign in to svc" });
const asksForName = async (page: Page): Promise<number> =>
  await page.getByText("Who are you?").count();

/** An address of the test's own, in a context without storage. */
async function opensAt(url: string): Promise<Page> {
  const context = await (await browser()).newContext();
  onTestFinished(async () => await context.close());
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** A proxy whose requests come from another machine, as its headers say; it adds the token if there is one. */
async function farProxy({ daemon }: Web, token?: string) {
  const without = token === undefined ? { authorization: "" } : {};
  const added = { "x-forwarded-for": "203.0.113.7", ...without };
  return await proxyTo(daemon.endpoint.address, token ?? "", added);
}

describe("a page that can open no session", () => {
  inChromium("shows a read-only daemon to everybody", async ({ web }) => {
    await filled(web, "One");
    const { origin } = await farProxy(web);
    await web.daemon.end("SIGTERM");
    const toml = `[web]\npublic_origin = "${origin}"\n`;
    const daemon = await web.startAgain({ toml, args: ["--insecure-readonly"] });
    const page = await opensAt("about:blank");
    const streams: string[] = [];
    const sessions: unknown[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/events/stream")) streams.push(request.url());
      sessions.push(request.headers()["x-svc-web-session"]);
    });
    await page.goto(`${origin}/svc`);
    await page.locator(".row", { hasText: "One" }).waitFor();
    await page.locator(".banner", { hasText: "You can read here and change nothing" }).waitFor();
    await expect.poll(async () => await who(page).textContent()).toContain("reader");
    expect(await asksForName(page)).toBe(0);
    expect([streams, new Set(sessions)]).toEqual([[], new Set([undefined])]);
    // Once the daemon asks for a token, so does the page.
    await daemon.end("SIGTERM");
    await web.startAgain({ toml: `${toml}[auth]\ntoken = "${TOKEN}"\n` });
    await form(page).waitFor();
    await signIn(page, TOKEN);
    await page.getByRole("heading", { name: "Who are you?" }).waitFor();
  });

  inChromium("says so if the daemon accepts no token", async ({ web }) => {
    await filled(web, "One");
    const { origin } = await farProxy(web);
    const page = await opensAt(`${origin}/svc`);
    // The proxy stands at another origin than the daemon's pages.
    await page.getByRole("heading", { name: "The pages are at another address" }).waitFor();
    await web.daemon.end("SIGTERM");
    await web.startAgain({ toml: `[web]\npublic_origin = "${origin}"\n` });
    await page.reload();
    await page.getByRole("heading", { name: "No pages at this address" }).waitFor();
    await page.getByRole("alert").getByText("This daemon takes no token").waitFor();
    expect(await page.getByLabel("Token").count()).toBe(0);
    expect(await faultsInBothColours(page)).toEqual([]);
  });
});

inChromium(
  "a proxy that adds a token does not prevent anybody from signing in with a token",
  async ({ web }) => {
    await filled(web, "One");
    const { origin } = await farProxy(web, TOKEN);
    await web.daemon.end("SIGTERM");
    await web.startAgain({
      toml: `[web]\npublic_origin = "${origin}"\n[auth]\ntoken = "${TOKEN}"\n`,
    });
    const page = await opensAt(`${origin}/svc`);
    await signIn(page, TOKEN);
    await page.getByRole("heading", { name: "Who are you?" }).waitFor();
  },
);

describe("another host name of the same address", () => {
  inChromium(
    "redirects to the page at its own origin if it is a name of this machine",
    async ({ web }) => {
      const uid = (await filled(web, "One")).get("One") ?? "";
      const other = web.origin.replace("127.0.0.1", "localhost");
      const page = await opensAt(`${other}/svc?project=product&issue=${uid}#direct=1`);
      await page.getByRole("heading", { name: "Who are you?" }).waitFor();
      expect(page.url()).toBe(`${web.origin}/svc?project=product&issue=${uid}#direct=1`);
    },
  );

  inChromium(
    "is reported if it belongs to a tunnel, with a link to the page at its own origin",
    async ({ web }) => {
      await filled(web, "One");
      const { origin } = await proxyTo(web.daemon.endpoint.address, TOKEN);
      const page = await opensAt(`${origin}/svc?project=product`);
      const link = page.getByRole("link", { name: `Open this page at ${web.api}` });
      await link.waitFor();
      expect(await faultsInBothColours(page)).toEqual([]);
      await link.click();
      await page.getByText("or run svc ui").waitFor();
      expect(page.url()).toBe(`${web.api}/svc?project=product`);
    },
  );
});

/** The token of a person, and an issue that this person made. */
async function personWith({ call }: Web): Promise<string> {
  const { body } = await call("POST", "/tokens", { actor: "ann" }, ADMIN);
  const { plaintext } = body as { readonly plaintext: string };
  const by = { authorization: `Bearer ${plaintext}` };
  await call("POST", "/projects", { name: "product", actor: "-" }, by);
  await call("POST", "/projects/1/issues", { title: "One", actor: "-" }, by);
  return plaintext;
}

describe("a daemon with a token for each person", () => {
  const inChromium = webTest({
    toml: `[auth]\ntoken = "${TOKEN}"\nrequire_token_identity = true\n`,
  });

  inChromium("lets its own token read, and does not ask for a name then", async ({ web }) => {
    await personWith(web);
    const page = await web.open();
    await signIn(page, TOKEN);
    await page.locator(".row", { hasText: "One" }).waitFor();
    await isLive(page);
    await page.locator(".banner", { hasText: "You can read here and change nothing" }).waitFor();
    await expect.poll(async () => await who(page).textContent()).toContain("reader");
    expect(await asksForName(page)).toBe(0);
    await page.keyboard.press("n");
    await page.locator(".notice").waitFor();
    expect(await page.locator(".modal").count()).toBe(0);
    await page.getByRole("button", { name: "Sign out" }).click();
    await form(page).waitFor();
  });

  inChromium(
    "explains after a reload and in a new tab why the page asks for the token again",
    async ({ web }) => {
      const token = await personWith(web);
      const why = (page: Page) => page.getByRole("status").getByText("You signed in here before");
      const page = await web.open();
      await form(page).waitFor();
      expect(await why(page).count()).toBe(0);
      await signIn(page, token);
      await page.locator(".row").first().waitFor();
      await page.reload();
      await why(page).waitFor();
      await why(await web.open()).waitFor();
      await signIn(page, token);
      await page.getByRole("button", { name: "Sign out" }).click();
      await form(page).waitFor();
      expect(await why(page).count()).toBe(0);
    },
  );
});

describe("the first question of a new page", () => {
  const inChromium = webTest({ env: { SVC_AUTHOR: "uma" } });

  inChromium(
    "suggests the daemon's person, and the names of people who work there",
    async ({ web }) => {
      await filled(web, "One");
      await web.call("POST", "/projects/1/issues", { title: "Two", actor: "bo", owner: "cy" });
      const page = await web.open();
      const name = page.getByRole("textbox", { name: "Name" });
      await expect.poll(async () => await name.inputValue()).toBe("uma");
      const known = page.locator(".known").getByRole("button");
      await expect
        .poll(async () => (await known.allTextContents()).sort())
        .toEqual(["ann", "bo", "cy"]);
      await known.getByText("cy").click();
      await page.locator(".row").first().waitFor();
      expect(await who(page).textContent()).toContain("cy");
    },
  );
});

describe("a daemon of another version", () => {
  const says = async (web: Web, version: object): Promise<void> => {
    await web.context.route("**/api/v1/health", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), ...version } });
    });
  };

  for (const [what, version] of [
    ["tells no version", { api_schema_version: undefined }],
    ["is older", { api_schema_version: "0.9.0" }],
  ] as const)
    inChromium(
      `the page of a daemon that ${what} is shown only once the daemon is updated`,
      async ({ web }) => {
        await filled(web, "One");
        await says(web, version);
        const page = await web.open();
        await page.getByRole("heading", { name: "This page does not fit the daemon" }).waitFor();
        expect(await page.locator(".page").count()).toBe(0);
        await web.context.unrouteAll({ behavior: "wait" });
        await page.getByRole("button", { name: "Load again" }).click();
        await page.getByRole("heading", { name: "Who are you?" }).waitFor();
      },
    );

  inChromium(
    "a page whose daemon is newer after a restart offers to load the new page",
    async ({ web }) => {
      await filled(web, "One");
      const page = await opened(web);
      await isLive(page);
      await web.daemon.end("SIGTERM");
      await says(web, { api_schema_version: "99.0.0" });
      await web.startAgain();
      const banner = page.locator(".banner");
      await banner.getByText("svc was updated since this page was loaded").waitFor();
      await web.context.unrouteAll({ behavior: "wait" });
      await banner.getByRole("button", { name: "Load the new page" }).click();
      await page.locator(".row").first().waitFor();
      await expect.poll(async () => await banner.count()).toBe(0);
    },
  );
});
