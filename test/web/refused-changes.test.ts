import type { Page } from "playwright-core";
import { expect } from "vitest";
import { filled, opened } from "./support/filled.ts";
import { isLive } from "./support/states.ts";
import { type Web, webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 800 } } });

const row = (page: Page) => page.locator(".row", { hasText: "Leased" });
const owner = (page: Page) => row(page).locator(".owner .name");
const alert = (page: Page) => page.locator(".detail .said.error[role=alert]");

/** The page of ana with an issue that bo leases, so that the daemon refuses changes by ana. */
async function leased(web: Web) {
  const uid = (await filled(web, "Leased")).get("Leased") ?? "";
  const issue = `/projects/1/issues/${uid}`;
  const lease = async (does: "acquire" | "release") => {
    const path = `${issue}/lease/actions/${does}`;
    expect(await web.call("POST", path, { actor: "bo" })).toMatchObject({ status: 200 });
  };
  await lease("acquire");
  const page = await opened(web, `/svc?issue=${uid}`);
  await isLive(page);
  return { page, lease, read: async () => (await web.call("GET", issue)).body };
}

async function give(page: Page, to: string): Promise<void> {
  await page.keyboard.press("a");
  await page.getByRole("dialog").locator("input").fill(to);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

async function markIs(page: Page, mark: string | null): Promise<void> {
  await expect.poll(async () => await row(page).getAttribute("data-mark")).toBe(mark);
}

inChromium(
  "a change that the daemon refuses is shown at once, and then reverted with the reason",
  async ({ web }) => {
    const { page, lease, read } = await leased(web);
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    await page.route(/\/issues\//, async (route) => {
      if (route.request().method() === "GET") return await route.continue();
      const response = await route.fetch();
      await answered;
      await route.fulfill({ response });
    });
    await give(page, "dee");
    await expect.poll(async () => await owner(page).allTextContents()).toEqual(["dee"]);
    await markIs(page, "pending");
    answer();
    await markIs(page, "failed");
    await row(page).getByText("refused", { exact: true }).waitFor();
    expect(await owner(page).count()).toBe(0);
    await alert(page).getByText(/lease/).waitFor();
    expect(web.faults.refused).toEqual([expect.stringMatching(/ 409$/)]);
    expect(await read()).not.toHaveProperty("issue.owner");

    await lease("release");
    await alert(page).getByRole("button", { name: "Try again" }).click();
    expect(await page.getByRole("dialog").locator("input").inputValue()).toBe("dee");
    await page.keyboard.press("Enter");
    await expect.poll(read).toMatchObject({ issue: { owner: "dee" } });
    await alert(page).waitFor({ state: "detached" });
    await markIs(page, null);
  },
);

inChromium(
  "a refused change can be dismissed, and the mark on its row disappears too",
  async ({ web }) => {
    const { page, read } = await leased(web);
    await give(page, "dee");
    await alert(page).getByRole("button", { name: "Dismiss" }).click();
    await alert(page).waitFor({ state: "detached" });
    await markIs(page, null);
    // The issue stays open: only the refusal was dismissed.
    await page.locator(".issue-title", { hasText: "Leased" }).waitFor();
    expect(new URL(page.url()).searchParams.has("issue")).toBe(true);
    expect(await read()).not.toHaveProperty("issue.owner");
  },
);
