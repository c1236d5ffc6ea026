import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, onTestFinished } from "vitest";
import { HAS_NGINX, nginxBefore } from "../support/nginx.ts";
import { browser } from "./support/chromium.ts";
import { filled } from "./support/filled.ts";
import { proxyTo } from "./support/proxy.ts";
import { isLive, signIn } from "./support/states.ts";
import { type Web, webTest } from "./support/web.ts";

const TOKEN = "a-token-that-only-this-test-knows-000000";
const ADMIN = { authorization: `Bearer ${TOKEN}` };

const inChromium = webTest();
const connection = (page: Page) => page.locator(".connection").first();
const row = (page: Page, title: string) => page.locator(".row", { hasText: title });

/** Opens the page at the origin of a proxy before the daemon. */
async function openedBehind(origin: string, web: Web): Promise<Page> {
  await filled(web, "One");
  await web.daemon.end("SIGTERM");
  const toml = `[auth]\ntoken = "${TOKEN}"\n[web]\npublic_origin = "${origin}"\n`;
  await web.startAgain({ toml });
  const context = await (await browser()).newContext();
  onTestFinished(async () => await context.close());
  await context.addInitScript(() => {
    if (location.protocol === "http:") localStorage.setItem("svc.actor", "ana");
  });
  return await signedIn(context, origin);
}

async function signedIn(context: BrowserContext, origin: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${origin}/svc`);
  await signIn(page, TOKEN);
  await row(page, "One").waitFor();
  return page;
}

async function create(web: Web, title: string): Promise<void> {
  await web.call("POST", "/projects/1/issues", { title, actor: "bo" }, ADMIN);
}

/** The pages say how they learn of changes, bring them, and do not say that the daemon is away. */
async function movesByAsking(pages: readonly Page[], web: Web): Promise<void> {
  for (const page of pages) {
    await expect.poll(async () => await connection(page).textContent()).toBe("every 5 s");
    const title = await connection(page).getAttribute("title");
    expect(title).toBe("Asking for changes every 5 s: no event stream can be opened.");
  }
  for (const made of ["Made first", "Made second"]) {
    await create(web, made);
    for (const page of pages) await row(page, made).waitFor();
  }
  for (const page of pages) expect(await page.locator(".banner").count()).toBe(0);
}

describe("a page whose event stream cannot be opened", () => {
  inChromium(
    "polls if a proxy refuses the stream, says so, and follows the stream once the proxy lets it through",
    async ({ web }) => {
      const added = { "x-forwarded-for": "203.0.113.7", authorization: "" };
      const proxy = await proxyTo(web.daemon.endpoint.address, "", added);
      proxy.letStreams(false);
      const page = await openedBehind(proxy.origin, web);
      const second = await signedIn(page.context(), proxy.origin);
      await movesByAsking([page, second], web);
      proxy.letStreams(true);
      for (const one of [page, second]) await isLive(one);
      await create(web, "Made by the stream");
      for (const one of [page, second]) {
        await row(one, "Made by the stream").waitFor();
        expect(await row(one, "Made").count()).toBe(3);
      }
    },
  );
});

describe("a page behind an nginx that buffers its event stream", () => {
  const inChromium = webTest({ hasProgram: HAS_NGINX });

  inChromium("polls for changes, and says so", async ({ web }) => {
    const server = `server {
        listen 443 ssl;
        location / {
          proxy_pass http://daemon;
          proxy_http_version 1.1;
          proxy_set_header Host $http_host;
          proxy_set_header Connection "";
          proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
          proxy_buffering on;
          proxy_ignore_headers X-Accel-Buffering;
          gzip on;
          gzip_types text/event-stream;
          gzip_proxied any;
          gzip_min_length 0;
        }
      }`;
    const origin = await nginxBefore(web.daemon.endpoint.address, server, process.getuid?.() ?? 0);
    await movesByAsking([await openedBehind(origin, web)], web);
  });
});
