import type { Page } from "playwright-core";
import { expect } from "vitest";
import { accessFaults } from "./support/axe.ts";
import { linked } from "./support/linked.ts";
import { type Web, webTest } from "./support/web.ts";

const inChromium = webTest();

/** An epic with a closed, a ready and a blocked child. */
async function epic(web: Web): Promise<string> {
  const titles = ["Epic", "Done child", "Ready child", "Blocked child"];
  const [parent, done, ready, blocked] = await linked(web, titles, { blocks: [[2, 3]] });
  for (const child of [done, ready, blocked]) {
    const link = { type: "parent", to_ref: parent?.short_id, actor: "ann" };
    const path = `/projects/1/issues/${child?.short_id}/links`;
    expect((await web.call("POST", path, link)).status).toBe(200);
  }
  const close = {
    ...{
      reason: "done",
      message: "The child is built, and two people looked at it.",
      actor: "ann",
    },
    evidence: [{ type: "reviewed-paths", paths: ["a.ts"] }],
  };
  const path = `/projects/1/issues/${done?.short_id}/actions/close`;
  expect((await web.call("POST", path, close)).status).toBe(200);
  return parent?.uid ?? "";
}

async function opened(web: Web, path: string): Promise<Page> {
  await web.context.addInitScript(() => {
    if (location.protocol === "http:") localStorage.setItem("svc.actor", "ann");
  });
  return await web.open(path);
}

inChromium(
  "each part of an epic's progress bar shows the children that it counts",
  async ({ web }) => {
    const uid = await epic(web);
    const page = await opened(web, `/svc?project=plan&issue=${uid}`);
    const children = page.locator(".children .peer .of");
    await expect.poll(async () => await children.count()).toBe(3);
    expect(await page.locator(".counts-of button").allInnerTexts()).toEqual([
      "1 closed",
      "1 ready",
      "1 blocked",
    ]);
    await page.locator('.bar-part[data-is="blocked"]').click();
    expect(await children.allInnerTexts()).toEqual(["Blocked child"]);
    await page.getByRole("button", { name: "1 closed", exact: true }).click();
    expect(await children.allInnerTexts()).toEqual(["Done child"]);
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "1 closed", pressed: true }).click();
    expect(await children.count()).toBe(3);
  },
);

inChromium(
  "each part of a project's progress bar leads to its issues on the board",
  async ({ web }) => {
    await epic(web);
    await web.call("POST", "/projects", { name: "other", actor: "ann" });
    await web.call("POST", "/projects/2/issues", { title: "Elsewhere", actor: "ann" });
    const page = await opened(web, "/svc?project=other&screen=projects");
    const parts = page.locator(".list-line", { hasText: "plan" }).locator(".bar-part");
    await expect.poll(async () => await parts.count()).toBe(2);
    // The issues of this project are not on the board, so it is not known which of the open ones are ready.
    expect(await parts.evaluateAll((all) => all.map((one) => one.getAttribute("title")))).toEqual([
      "1 closed",
      "3 open",
    ]);
    await page.getByRole("link", { name: "1 closed in plan" }).click();
    await page.getByRole("heading", { name: "plan" }).waitFor();
    // The epic stands above its child, although it does not match.
    await expect
      .poll(async () => await page.locator(".row .title a").allInnerTexts())
      .toEqual(["Epic", "Done child"]);
    expect(new URL(page.url()).searchParams.get("filter")).toBe("status:closed");
    await page.goBack();
    await page.getByRole("link", { name: "3 open in plan" }).click();
    await page.locator(".row", { hasText: "Blocked child" }).waitFor();
  },
);
