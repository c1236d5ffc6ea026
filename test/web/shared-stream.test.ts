import type { Page, Request } from "playwright-core";
import { describe, expect } from "vitest";
import { filled, opened } from "./support/filled.ts";
import { isLive, signIn } from "./support/states.ts";
import { type Web, webTest } from "./support/web.ts";

const TOKEN = "a-token-that-only-this-test-knows-000000";
const ADMIN = { authorization: `Bearer ${TOKEN}` };

const inChromium = webTest();
const LONG_MS = 240_000;

const row = (page: Page, title: string) => page.locator(".row", { hasText: title });

async function create(web: Web, title: string): Promise<void> {
  await web.call("POST", "/projects/1/issues", { title, actor: "bo" });
}

/** Waits until each page shows an issue, once. */
async function allShow(pages: readonly Page[], title: string): Promise<void> {
  for (const page of pages) {
    await row(page, title).waitFor();
    expect(await row(page, title).count()).toBe(1);
  }
}

/** The pages that have an open event stream. */
function streamsOf({ context }: Web): { readonly open: () => readonly Page[] } {
  const open = new Set<Request>();
  context.on("request", (request) => {
    if (request.url().endsWith("/events/stream")) open.add(request);
  });
  context.on("requestfailed", (request) => void open.delete(request));
  context.on("requestfinished", (request) => void open.delete(request));
  return {
    open: () =>
      [...open].map((request) => request.frame().page()).filter((page) => !page.isClosed()),
  };
}

/** Opens windows one after the other, all of which are seen, and waits until they share one stream. */
async function windows(web: Web, count: number) {
  await filled(web, "One");
  const streams = streamsOf(web);
  const pages: Page[] = [];
  for (let at = 0; at < count; at += 1) {
    const page = await opened(web);
    await isLive(page);
    pages.push(page);
  }
  await expect.poll(() => streams.open().length).toBe(1);
  const leader = (): Page => {
    const [page] = streams.open();
    if (page === undefined) throw new Error("no window leads");
    return page;
  };
  return { pages, streams, leader };
}

async function withoutLocks({ context }: Web): Promise<void> {
  await context.addInitScript(() => void Reflect.deleteProperty(Navigator.prototype, "locks"));
}

/** Ends the process of a window, which then says nothing to the others. */
async function kill(web: Web, page: Page): Promise<void> {
  const crashed = page.waitForEvent("crash");
  const session = await web.context.newCDPSession(page);
  void session.send("Page.crash").catch(() => undefined);
  await crashed;
}

/** Stops the scripts of a window, which then says nothing to the others. Returns a function that lets it go on. */
async function hang(web: Web, page: Page): Promise<() => Promise<void>> {
  const session = await web.context.newCDPSession(page);
  await session.send("Debugger.enable");
  const paused = new Promise((resolve) => void session.once("Debugger.paused", resolve));
  await session.send("Debugger.pause");
  await paused;
  return async () => {
    await session.send("Debugger.resume");
    await session.detach();
  };
}

const WAYS = [
  ["by a lock", async () => undefined],
  ["by their channel, as on plain http", withoutLocks],
] as const;

describe.each(WAYS)("windows that decide %s which opens the event stream", (_way, prepared) => {
  inChromium(
    "are all kept up to date by one stream if eight are visible, and the eighth can still send changes",
    async ({ web }) => {
      await prepared(web);
      const { pages, streams } = await windows(web, 8);
      await create(web, "Made elsewhere");
      await allShow(pages, "Made elsewhere");
      const [last] = pages.slice(-1);
      await last?.keyboard.press("n");
      await last?.locator(".field[data-name=title] input").fill("Made in the eighth");
      await last?.locator(".modal .foot .button.strong").click();
      await allShow(pages, "Made in the eighth");
      expect(streams.open()).toHaveLength(1);
    },
    LONG_MS,
  );

  inChromium(
    "lose no event when the window with the stream is closed, and none when the next such window is killed",
    async ({ web }) => {
      await prepared(web);
      const { pages, streams, leader } = await windows(web, 4);
      const first = leader();
      await create(web, "Made before");
      await first.close();
      await create(web, "Made when it was closed");
      const left = pages.filter((page) => page !== first);
      await allShow(left, "Made when it was closed");
      await expect.poll(() => streams.open().length).toBe(1);
      const second = leader();
      await kill(web, second);
      await create(web, "Made when it was killed");
      const rest = left.filter((page) => page !== second);
      await allShow(rest, "Made when it was killed");
      await create(web, "Made after");
      for (const title of ["Made before", "Made after"]) await allShow(rest, title);
      for (const page of rest) await isLive(page);
    },
    LONG_MS,
  );
});

inChromium(
  "a window that hangs while it has the event stream is replaced, and follows the other once it continues",
  async ({ web }) => {
    const { pages, streams, leader } = await windows(web, 2);
    const hung = leader();
    const rest = pages.filter((page) => page !== hung);
    const goOn = await hang(web, hung);
    await create(web, "Made when it hung");
    await allShow(rest, "Made when it hung");
    await expect.poll(() => streams.open()).toContain(rest[0]);
    await goOn();
    await expect.poll(() => streams.open()).toEqual(rest);
    await create(web, "Made when it went on");
    for (const title of ["Made when it hung", "Made when it went on"]) await allShow(pages, title);
  },
  LONG_MS,
);

describe("windows of two people", () => {
  const inChromium = webTest({
    toml: `[auth]\ntoken = "${TOKEN}"\nrequire_token_identity = true\n`,
  });

  inChromium(
    "a window whose own token is revoked shows no event of the other person's stream",
    async ({ web }) => {
      const tokens = await Promise.all(
        ["ann", "bea"].map(async (actor) => {
          const { body } = await web.call("POST", "/tokens", { actor }, ADMIN);
          return body as { readonly plaintext: string; readonly token: { readonly id: number } };
        }),
      );
      const [ann, bea] = tokens;
      const by = { authorization: `Bearer ${ann?.plaintext}` };
      await web.call("POST", "/projects", { name: "product", actor: "-" }, by);
      const streams = streamsOf(web);
      const pages: Page[] = [];
      for (const { plaintext } of tokens) {
        const page = await web.open();
        await signIn(page, plaintext);
        await isLive(page);
        pages.push(page);
      }
      const [first, second] = pages;
      if (first === undefined || second === undefined) return;
      expect(streams.open()).toEqual([first]);
      await web.call("POST", "/projects/1/issues", { title: "For both", actor: "-" }, by);
      await allShow(pages, "For both");
      await web.call("POST", `/tokens/${bea?.token.id}/actions/revoke`, {}, ADMIN);
      await web.call("POST", "/projects/1/issues", { title: "For ann", actor: "-" }, by);
      await allShow([first], "For ann");
      await second.getByText("Your session has ended").waitFor();
      expect(await row(second, "For ann").count()).toBe(0);
      await signIn(second, ann?.plaintext ?? "");
      await allShow(pages, "For ann");
    },
  );
});

inChromium(
  "windows that share a stream all continue after the daemon was killed and started again",
  async ({ web }) => {
    const { pages, streams } = await windows(web, 3);
    await web.daemon.end("SIGKILL");
    for (const page of pages)
      await page.locator(".banner", { hasText: "The daemon does not answer" }).waitFor();
    await web.startAgain();
    await create(web, "Made after");
    await allShow(pages, "Made after");
    for (const page of pages) await isLive(page);
    await expect.poll(() => streams.open().length).toBe(1);
  },
  LONG_MS,
);
