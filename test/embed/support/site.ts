import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, test } from "vitest";
import type { SvcIssueProperties } from "../../../web/embed/given.ts";
import { browser } from "../../web/support/chromium.ts";
import { watchFaults } from "../../web/support/faults.ts";
import { CHROMIUM } from "../../web/support/installed-chromium.ts";

/** No inline script or style, and nothing of another origin. */
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'";

const BUILT = join(import.meta.dirname, "..", "..", "..", "dist", "ui");
const TYPES: Readonly<Record<string, string>> = { ".js": "text/javascript", ".css": "text/css" };

/** A page of a host with the element, which has been given nothing yet. */
export interface Site {
  readonly page: Page;
  readonly origin: string;
  /** The paths of all requests so far. */
  readonly asked: readonly string[];
  /** Gives the element answers of the API, and waits until what it shows of them is drawn. */
  give(given: SvcIssueProperties): Promise<void>;
  /** Opens a page of the host again, with other styles or markup. */
  open(look: Partial<Look>): Promise<void>;
}

interface Look {
  readonly css: string;
  readonly body: string;
  /** The script of the page, a module. */
  readonly script: string;
}

const LOOK: Look = {
  css: ":root { color-scheme: light dark; } body { margin: 0; }",
  body: "<main><svc-issue></svc-issue></main>",
  script: 'import "/ui/ui.js";',
};

/**
 * Declares a test in Chromium with a page that has the built element under a strict policy. The test fails if the page
 * wrote an error to the console, did what the policy forbids, or asked for anything but its own files.
 */
export function siteTest(context: BrowserContextOptions = {}) {
  const extended = test.extend<{ site: Site }>({
    // vitest reads in the parameter which fixtures this one needs.
    // oxlint-disable-next-line no-empty-pattern
    site: async ({}, use) => await within(context, use),
  });
  const inChromium = extended.skipIf(CHROMIUM === undefined);
  return (name: string, body: (fixtures: { site: Site }) => Promise<void>, timeout = 60_000) =>
    inChromium(name, { timeout }, body);
}

async function within(
  options: BrowserContextOptions,
  use: (site: Site) => Promise<void>,
): Promise<void> {
  let look = LOOK;
  const asked: string[] = [];
  const server = createServer(({ url = "/" }, response) => {
    asked.push(url);
    const type = TYPES[extname(url)] ?? "text/html; charset=utf-8";
    response.writeHead(200, { "content-type": type, "content-security-policy": POLICY });
    response.end(contentOf(url, look));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const context = await (await browser()).newContext({ baseURL: origin, ...options });
  try {
    const faults = await watchFaults(context, origin);
    const page = await context.newPage();
    const open = async (part: Partial<Look>): Promise<void> => {
      look = { ...LOOK, ...part };
      await page.goto("/");
      await page.waitForFunction(() => customElements.get("svc-issue") !== undefined);
    };
    await open({});
    await use({ page, origin, asked, open, give: async (given) => await give(page, given) });
    expect(faults.seen).toEqual([]);
    expect([...new Set(asked)].filter((path) => !/^\/(?:ui\/|page\.|$)/.test(path))).toEqual([]);
  } finally {
    await context.close();
    server.close();
  }
}

function contentOf(url: string, { css, body, script }: Look): string | Buffer {
  if (url.startsWith("/ui/")) return readFileSync(join(BUILT, url.slice("/ui/".length)));
  if (url === "/page.css") return css;
  if (url === "/page.js") return script;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width"><title>A host</title>
    <link rel="stylesheet" href="/page.css">
    <script type="module" src="/page.js"></script></head><body>${body}</body></html>`;
}

async function give(page: Page, given: SvcIssueProperties): Promise<void> {
  await page.evaluate(async (answers) => {
    const element = document.querySelector("svc-issue");
    if (element !== null) Object.assign(element, answers);
    const frame = async (): Promise<void> =>
      await new Promise((resolve) => void requestAnimationFrame(() => resolve()));
    // Each text is empty until its script has loaded and formatted it.
    const isDrawn = (): boolean => {
      const texts = element?.shadowRoot?.querySelectorAll(".prose") ?? [];
      return [...texts].every((text) => text.childNodes.length > 0);
    };
    do await frame();
    while (!isDrawn());
    await frame();
  }, given);
}
