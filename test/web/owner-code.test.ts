import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { box } from "../e2e/box.ts";
import { type Web, webTest } from "./support/web.ts";

const TOKEN = "svc_the-secret-of-the-owner";
const BEARER = { authorization: `Bearer ${TOKEN}` };

const inChromium = webTest({ env: { SVC_AUTH_TOKEN: TOKEN } });

/** What `svc ui` of the user who runs the daemon gives, without the daemon's token. */
async function addressOf({ daemon: { folder } }: Web): Promise<string> {
  const own = { SVC_HOME: join(folder, "home"), XDG_RUNTIME_DIR: join(folder, "run") };
  const { code, stdout, stderr } = await box(own).svc("ui", "--print");
  expect([code, stderr]).toEqual([0, ""]);
  return stdout.trimEnd();
}

async function withIssue({ call, context }: Web): Promise<void> {
  await call("POST", "/projects", { name: "web", actor: "ann" }, BEARER);
  await call("POST", "/projects/1/issues", { title: "An issue", actor: "ann" }, BEARER);
  await context.addInitScript(() => {
    if (location.protocol === "http:") localStorage.setItem("svc.actor", "ann");
  });
}

async function shows(page: Page): Promise<void> {
  await page.getByText("An issue").first().waitFor();
}

inChromium(
  "the address from svc ui signs in if a token is set, and reloads and new tabs need no other address",
  async ({ web }) => {
    await withIssue(web);
    const address = await addressOf(web);
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/svc#direct=1&code=[\w-]{43}$/);
    expect(address.startsWith(web.origin)).toBe(true);
    const sent: string[] = [];
    web.context.on("request", (request) => void sent.push(request.url()));
    const page = await web.open(address);
    await shows(page);
    expect(page.url()).not.toContain("code=");
    const code = address.replace(/^.*code=/, "");
    expect(sent.filter((url) => url.includes(code) && !url.startsWith(address))).toEqual([]);
    await page.reload();
    await shows(page);
    await shows(await web.open());
  },
);

inChromium(
  "the sign-in form names svc ui, whose address signs in within the same tab",
  async ({ web }) => {
    await withIssue(web);
    const page = await web.open();
    await page.getByText("or run svc ui").waitFor();
    const address = await addressOf(web);
    await page.evaluate((to) => location.assign(to), address);
    await shows(page);
    expect(page.url()).not.toContain("code=");
  },
);

inChromium(
  "an address with a code signs in only the first browser that opens it",
  async ({ web }) => {
    await withIssue(web);
    const address = await addressOf(web);
    await shows(await web.open(address));
    await web.context.clearCookies();
    const again = await web.open(address);
    await again.getByText("or run svc ui").waitFor();
    expect(again.url()).toBe(`${web.origin}/svc#direct=1`);
  },
);
