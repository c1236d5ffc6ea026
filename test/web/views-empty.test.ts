import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { accessFaults } from "./support/axe.ts";
import { linked } from "./support/linked.ts";
import { type Web, webTest } from "./support/web.ts";

const inChromium = webTest();

async function opened(web: Web, path: string): Promise<Page> {
  await web.context.addInitScript(() => {
    if (location.protocol === "http:") localStorage.setItem("svc.actor", "ann");
  });
  return await web.open(path);
}

const offered = async (page: Page): Promise<readonly string[]> =>
  await page.locator(".empty .acts button").allInnerTexts();

inChromium("a screen without rows offers fitting actions", async ({ web }) => {
  await web.call("POST", "/projects", { name: "plan", actor: "ann" });
  const page = await opened(web, "/svc?project=plan");
  for (const [key, why, acts] of [
    ["1", "no issues yet", ["New issue"]],
    ["2", "nobody asks ann", ["Look at all your addresses", "Go to the board"]],
    ["6", "nobody leases an issue", ["Go to the board"]],
  ] as const) {
    await page.keyboard.press(key);
    await page.getByText(why).waitFor();
    expect(await offered(page)).toEqual(acts);
  }
  await page.getByRole("button", { name: "Go to the board" }).click();
  await page.getByText("no issues yet").waitFor();
});

inChromium(
  "the hint on the cron screen names a key that the browser does not reserve",
  async ({ web }) => {
    await web.call("POST", "/projects", { name: "plan", actor: "ann" });
    const page = await opened(web, "/svc?screen=cron&project=plan");
    await page.getByRole("tab", { name: "Ledger" }).click();
    await page.getByText("] to Jobs: there enter").waitFor();
    await page.keyboard.press("[");
    await page.getByText("] to Jobs: there enter").waitFor({ state: "detached" });
    await page.keyboard.press("]");
    await page.getByText("] to Jobs: there enter").waitFor();
  },
);

inChromium(
  "the address of an unknown issue says that there is none, and leads back to the list",
  async ({ web }) => {
    const [here] = await linked(web, ["Here"], { blocks: [] });
    const page = await opened(web, "/svc?project=plan&issue=01ARZ3NDEKTSV4RRFFQ69G5FAV");
    await page.getByRole("heading", { name: "There is no such issue" }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Back to the list" }).click();
    await page
      .getByRole("heading", { name: "There is no such issue" })
      .waitFor({ state: "detached" });
    const issue = (): string | null => new URL(page.url()).searchParams.get("issue");
    await expect.poll(issue).toBe(here?.uid);
  },
);

describe("an issue on a phone", () => {
  const inChromium = webTest({
    context: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  });

  inChromium("leaves room for its buttons beside a long name", async ({ web }) => {
    const name = "a-project-with-a-name-that-is-longer-than-the-screen";
    await web.call("POST", "/projects", { name, actor: "ann" });
    const { body } = await web.call("POST", "/projects/1/issues", { title: "One", actor: "ann" });
    const { uid } = (body as { readonly issue: { readonly uid: string } }).issue;
    const page = await opened(web, `/svc?project=${name}&issue=${uid}`);
    const close = page.getByRole("button", { name: "Close", exact: true });
    const { x = 0, width = 0 } = (await close.boundingBox({ timeout: 30_000 })) ?? {};
    expect(width).toBeGreaterThan(40);
    expect(x + width).toBeLessThanOrEqual(360);
  });
});
