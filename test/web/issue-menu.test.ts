import type { Page } from "playwright-core";
import { expect } from "vitest";
import { opened } from "./support/filled.ts";
import { linked } from "./support/linked.ts";
import { type Web, webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 800 } } });

const LIMIT_MS = 120_000;

/** `Ground` blocks `Wall`; bea owns it, and asks ana about it. */
async function wall(web: Web) {
  const [ground, wall] = await linked(web, ["Ground", "Wall"], { blocks: [[0, 1]] });
  const issue = `/projects/1/issues/${ground?.uid}`;
  await web.call("POST", `${issue}/actions/notify`, { to: "ana", message: "Why?", actor: "bea" });
  await web.call("POST", `${issue}/actions/assign`, { owner: "bea", actor: "bea" });
  return { ground: ground?.uid ?? "", wall: wall?.uid ?? "" };
}

/** Chooses a command in the menu that the right button opens, and labels the issue by the dialog that follows. */
async function labelled(page: Page, row: string, label: string): Promise<void> {
  await page.locator(row, { hasText: "Ground" }).first().click({ button: "right" });
  await page.getByRole("menuitem", { name: "add a label" }).click();
  await page.getByRole("dialog").locator("input").fill(label);
  await page.keyboard.press("Enter");
  await page.locator(".notice", { hasText: label }).waitFor();
}

async function labelsOf(web: Web, uid: string): Promise<unknown> {
  const { body } = await web.call("GET", `/projects/1/issues/${uid}`);
  return (body as { readonly issue: { readonly labels: unknown } }).issue.labels;
}

inChromium(
  "the right mouse button opens the commands for an issue in graph, inbox and fleet",
  async ({ web }) => {
    const { ground, wall: source } = await wall(web);
    const page = await opened(web, `/svc?screen=graph&source=${source}`);
    await labelled(page, ".list-line", "by-graph");
    await labelled(page, ".graph-box", "by-picture");
    await page.goto("/svc?screen=inbox");
    await labelled(page, ".list-line", "by-inbox");
    await page.goto("/svc?screen=fleet");
    await labelled(page, ".held-card", "by-fleet");
    const labels = ["by-fleet", "by-graph", "by-inbox", "by-picture"];
    await expect.poll(async () => await labelsOf(web, ground)).toEqual(labels);
    expect(await labelsOf(web, source)).toEqual([]);
  },
  LIMIT_MS,
);

inChromium(
  "the menu of a linked issue acts on the linked issue, and not on the open one",
  async ({ web }) => {
    const { ground, wall: open } = await wall(web);
    const page = await opened(web, `/svc?issue=${open}`);
    await labelled(page, ".detail .peers a", "by-peer");
    await expect.poll(async () => await labelsOf(web, ground)).toEqual(["by-peer"]);
    expect(await labelsOf(web, open)).toEqual([]);
    expect(await page.locator(".detail h1").innerText()).toBe("Wall");
    expect(new URL(page.url()).searchParams.get("issue")).toBe(open);
  },
);

inChromium("a person's own comment has a button that edits it", async ({ web }) => {
  const { wall: open } = await wall(web);
  for (const [actor, body] of [
    ["ann", "Of ann"],
    ["ana", "Of ana"],
    ["ana", "Another of ana"],
  ])
    await web.call("POST", `/projects/1/issues/${open}/comments`, { actor, body });
  const page = await opened(web, `/svc?issue=${open}`);
  const comments = page.locator(".detail .comment");
  await expect.poll(async () => await comments.count()).toBe(3);
  const edit = { name: "Edit this comment" };
  expect(await comments.nth(0).getByRole("button", edit).count()).toBe(0);
  await comments.nth(1).getByRole("button", edit).click();
  const text = page.getByRole("dialog").locator("textarea");
  expect(await text.inputValue()).toBe("Of ana");
  await text.fill("Changed by ana");
  await page.keyboard.press("Control+Enter");
  await comments.nth(1).getByText("Changed by ana").waitFor();
  await comments.nth(1).getByText("edited just now").waitFor();
  expect(await comments.getByText("edited").count()).toBe(1);
});

inChromium("a deleted issue has a button that restores it", async ({ web }) => {
  const { ground } = await wall(web);
  const { body } = await web.call("GET", `/projects/1/issues/${ground}`);
  const { qualified_id } = (body as { readonly issue: { readonly qualified_id: string } }).issue;
  const path = `/projects/1/issues/${ground}/actions/delete`;
  const confirm = { "x-svc-confirm": `DELETE ${qualified_id}` };
  expect((await web.call("POST", path, { actor: "ann" }, confirm)).status).toBe(200);
  const page = await opened(web, `/svc?issue=${ground}`);
  await page.locator(".detail").getByRole("button", { name: "Restore" }).click();
  await page.locator(".detail .said.warn").waitFor({ state: "detached" });
  const { body: after } = await web.call("GET", `/projects/1/issues/${ground}`);
  expect(after).not.toHaveProperty("issue.deleted_at");
});

inChromium(
  "the text of an issue is edited by a button, and a missing text by a click on its empty place",
  async ({ web }) => {
    const { ground, wall: open } = await wall(web);
    await web.call("PATCH", `/projects/1/issues/${open}`, { actor: "ann", body: "Of stone" });
    const page = await opened(web, `/svc?issue=${open}`);
    const text = page.getByRole("dialog").locator("textarea");
    await page.locator(".description").getByText("Of stone").click();
    await page.locator(".description").getByRole("button", { name: "Edit the text" }).click();
    expect(await text.inputValue()).toBe("Of stone");
    await page.keyboard.press("Escape");
    await page.locator(".detail .peers a", { hasText: "Ground" }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get("issue")).toBe(ground);
    await page.getByText("No description.").click({ position: { x: 5, y: 12 } });
    await text.waitFor();
  },
);
