import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { opened } from "./support/filled.ts";
import { linked } from "./support/linked.ts";
import { type Web, webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 800 } } });

/** `Wall` waits for `Ground`, is a child of `House`, and its text names `Ground` in four ways. */
async function house(web: Web) {
  const [ground, wall, top] = await linked(web, ["Ground", "Wall", "House"], { blocks: [[0, 1]] });
  const issues = "/projects/1/issues";
  const wallPath = `${issues}/${wall?.uid}`;
  await web.call("POST", `${wallPath}/links`, { type: "parent", to_ref: top?.uid, actor: "ann" });
  const body = [
    `See #${ground?.short_id}.`,
    `See ${web.origin}/svc?issue=${ground?.uid} too.`,
    `[Named](${web.origin}/svc?screen=inbox&issue=plan%23${ground?.short_id}) and`,
    `[the #${ground?.short_id} of others](https://elsewhere.example/svc?issue=${ground?.uid}).`,
  ].join("\n\n");
  await web.call("PATCH", wallPath, { body, actor: "ann" });
  return { ground: ground?.uid ?? "", wall: wall?.uid ?? "", house: top?.uid ?? "" };
}

/** Clicks in a way that the browser itself acts on, and gives the address of the tab that it opens. */
async function inTab(page: Page, link: Locator, how: "middle" | "ctrl"): Promise<string> {
  const tab = page.context().waitForEvent("page");
  await link.click(how === "middle" ? { button: "middle" } : { modifiers: ["Control"] });
  const opened = await tab;
  await opened.waitForURL(/issue=/, { waitUntil: "commit" });
  const url = opened.url();
  await opened.close();
  return url;
}

const shown = async (page: Page) => await page.locator(".detail h1").innerText();

inChromium("links of an issue open in a new tab by the middle button or ctrl", async ({ web }) => {
  const { ground, wall, house: top } = await house(web);
  const page = await opened(web, `/svc?issue=${wall}`);
  const detail = page.locator(".detail");
  const peers = detail.locator(".peers a", { hasText: "Ground" });
  expect(await inTab(page, peers, "middle")).toContain(`issue=${ground}`);
  expect(await inTab(page, peers, "ctrl")).toContain(`issue=${ground}`);
  const parent = detail.locator(".facts a", { hasText: "House" });
  expect(await inTab(page, parent, "middle")).toContain(`issue=${top}`);
  expect(await shown(page)).toBe("Wall");
});

inChromium("links of an issue open on the same page by a click or Enter", async ({ web }) => {
  const { wall } = await house(web);
  const page = await opened(web, `/svc?issue=${wall}`);
  const detail = page.locator(".detail");
  await detail.locator(".peers a", { hasText: "Ground" }).click();
  await expect.poll(async () => await shown(page)).toBe("Ground");
  await page.keyboard.press("Escape");
  await expect.poll(async () => await shown(page)).toBe("Wall");
  await detail.locator(".facts a", { hasText: "House" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(async () => await shown(page)).toBe("House");
  await detail.locator(".children .peers a", { hasText: "Wall" }).click();
  await expect.poll(async () => await shown(page)).toBe("Wall");
});

inChromium(
  "an issue that a text mentions is a link, by its id or by its address",
  async ({ web }) => {
    const { ground, wall } = await house(web);
    const page = await opened(web, `/svc?issue=${wall}`);
    const links = page.locator(".detail .prose a");
    await expect.poll(async () => await links.count()).toBe(4);
    expect(await inTab(page, links.nth(0), "middle")).toContain(`issue=${ground}`);
    expect(await inTab(page, links.nth(1), "ctrl")).toContain(`issue=${ground}`);
    for (const at of [0, 1, 2]) {
      await links.nth(at).click();
      await expect.poll(async () => await shown(page)).toBe("Ground");
      await page.keyboard.press("Escape");
      await expect.poll(async () => await shown(page)).toBe("Wall");
    }
    expect(page.context().pages()).toHaveLength(1);
    // An address of another origin stays a link to there.
    expect(await links.nth(3).getAttribute("target")).toBe("_blank");
    expect(await links.nth(3).getAttribute("data-ref")).toBeNull();
  },
);

inChromium("rows of graph, inbox and fleet are links that open in a new tab", async ({ web }) => {
  const { ground, wall } = await house(web);
  const issue = `/projects/1/issues/${ground}`;
  const asked = { to: "ana", message: "Stone?", actor: "ann" };
  await web.call("POST", `${issue}/actions/notify`, asked);
  await web.call("POST", `${issue}/actions/assign`, { owner: "bea", actor: "ann" });
  const rows = ".list-line a";
  const page = await opened(web, `/svc?screen=graph&source=${wall}`);
  const inGraph = page.locator(rows, { hasText: "Ground" });
  expect(await inTab(page, inGraph, "middle")).toContain(`issue=${ground}`);
  await page.goto("/svc?screen=inbox");
  const inInbox = page.locator(rows, { hasText: "Ground" });
  expect(await inTab(page, inInbox, "ctrl")).toContain(`issue=${ground}`);
  await page.goto("/svc?screen=fleet");
  await page.getByRole("button", { name: "Lanes" }).click();
  const inFleet = page.locator(rows, { hasText: "Ground" });
  expect(await inTab(page, inFleet, "middle")).toContain(`issue=${ground}`);
});

inChromium(
  "the pasted address of an issue is accepted in a field that asks for an issue",
  async ({ web }) => {
    const { ground, house: top } = await house(web);
    const page = await opened(web, `/svc?issue=${top}`);
    await page.locator(".detail h1").waitFor();
    await page.keyboard.press("l");
    const input = page.getByRole("dialog").locator("input");
    await input.fill(`${web.origin}/svc?view=flat&issue=${ground}`);
    await expect.poll(async () => await input.inputValue()).toMatch(/^plan#/);
    await page.keyboard.press("Enter");
    await page.locator(".detail .peers a", { hasText: "Ground" }).waitFor();
  },
);
