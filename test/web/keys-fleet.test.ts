import type { Page } from "playwright-core";
import { expect } from "vitest";
import { fleetOf, some } from "./support/fleet.ts";
import { type Web, webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 800 } } });

const dialogOf = (page: Page) => page.getByRole("dialog");
const lanes = (page: Page) => page.locator(".fleet-lane");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const holder = (page: Page) => page.getByRole("region", { name: "the holder" });

interface Listed {
  readonly issues: readonly { readonly uid: string; readonly short_id: string }[];
}

interface Status {
  readonly held: boolean;
  readonly holder?: { readonly holder: string };
}

/** Opens the fleet as ann while bo, who owns the only issue, leases it too. */
async function leased(web: Web) {
  const page = await fleetOf(web, some(1, "bo"));
  const { issues } = (await web.call("GET", "/projects/1/issues")).body as Listed;
  const [issue] = issues;
  if (issue === undefined) throw new Error("the fleet has no issue");
  const path = `/projects/1/issues/${issue.uid}/lease`;
  const acquire = async () => {
    const { body } = await web.call("POST", `${path}/actions/acquire`, { actor: "bo" });
    expect(body).toMatchObject({ granted: true });
    await holder(page)
      .getByText(/^bo has leased it /)
      .waitFor();
  };
  await acquire();
  const status = async () => (await web.call("GET", path)).body as Status;
  return { page, acquire, status, name: `plan#${issue.short_id}` };
}

/** Types a name into the dialog that asks for it, and waits until the dialog is gone. */
async function confirm(page: Page, name: string): Promise<void> {
  await dialogOf(page).getByLabel(`Type ${name} to go on`).fill(name);
  await page.keyboard.press("Enter");
  await dialogOf(page).waitFor({ state: "detached" });
}

inChromium(
  "in the fleet the key m and its button ask the holder about the issue",
  async ({ web }) => {
    const { page, name } = await leased(web);
    const inbox = async () => JSON.stringify((await web.call("GET", "/inbox?for=bo")).body);
    await page.keyboard.press("m");
    const asks = page.getByRole("dialog", { name: `message to bo about ${name}` });
    await asks.getByRole("combobox").fill("How far is it?");
    await page.keyboard.press("Enter");
    await expect.poll(inbox).toContain("How far is it?");
    await asks.waitFor({ state: "detached" });
    await button(page, "Ask about it").click();
    await asks.getByRole("combobox").fill("And until when?");
    await button(page, "OK").click();
    await expect.poll(inbox).toContain("And until when?");
  },
);

inChromium(
  "in the fleet the key R and its button end a lease after the issue's name was typed",
  async ({ web }) => {
    const { page, acquire, status, name } = await leased(web);
    for (const open of [
      async () => await page.keyboard.press("R"),
      async () => await button(page, "End the lease …").click(),
    ]) {
      await open();
      await dialogOf(page).getByText(`end the lease that bo has of ${name}`).waitFor();
      await page.keyboard.type("plan");
      await page.keyboard.press("Enter");
      expect(await status()).toMatchObject({ held: true, holder: { holder: "bo" } });
      await confirm(page, name);
      await expect.poll(status).toMatchObject({ held: false });
      await holder(page)
        .getByText(/and does not lease it$/)
        .waitFor();
      await page.locator('button[aria-disabled="true"]', { hasText: "End the lease" }).waitFor();
      await acquire();
    }
  },
);

inChromium(
  "in the fleet the key S takes a lease over, and the lane of its new holder appears",
  async ({ web }) => {
    const { page, status, name } = await leased(web);
    await page.keyboard.press("S");
    await dialogOf(page).getByText(`take the lease of ${name}`).waitFor();
    await confirm(page, name);
    await expect.poll(status).toMatchObject({ held: true, holder: { holder: "ann" } });
    await lanes(page).filter({ hasText: "ann" }).waitFor();
  },
);

inChromium(
  "in the fleet the button that takes a lease over does the same as the key S",
  async ({ web }) => {
    const { page, status, name } = await leased(web);
    await button(page, "Take it over …").click();
    await dialogOf(page).getByText(`take the lease of ${name}`).waitFor();
    await confirm(page, name);
    await expect.poll(status).toMatchObject({ held: true, holder: { holder: "ann" } });
  },
);

inChromium(
  "in the fleet the key / filters while text is typed, and c clears the filter",
  async ({ web }) => {
    // The words are longer than an id, because a filter finds parts of ids too.
    const page = await fleetOf(web, [
      { title: "Paint the gate", owner: "bo" },
      { title: "Repair the gate", owner: "bo" },
      { title: "Sweep the yard", owner: "cy" },
    ]);
    const names = async () => await page.locator(".fleet-who .name").allInnerTexts();
    await expect.poll(async () => (await names()).toSorted()).toEqual(["bo", "cy"]);
    const asks = page.getByRole("dialog", { name: "holder, project or words" });
    await page.keyboard.press("/");
    await asks.waitFor();
    await page.keyboard.type("sweep");
    await expect.poll(names).toEqual(["cy"]);
    await page.keyboard.press("Escape");
    await expect.poll(async () => (await names()).toSorted()).toEqual(["bo", "cy"]);
    await page.keyboard.press("/");
    await asks.waitFor();
    await page.keyboard.type("paint");
    await page.keyboard.press("Enter");
    await asks.waitFor({ state: "detached" });
    await expect.poll(names).toEqual(["bo"]);
    expect(await page.locator(".held-card").count()).toBe(1);
    await button(page, "paint").waitFor();
    await page.keyboard.press("c");
    await expect.poll(async () => (await names()).toSorted()).toEqual(["bo", "cy"]);
    await button(page, "Filter").waitFor();
  },
);

interface Holders {
  readonly holders: readonly { readonly holder: string }[];
}

inChromium(
  "in the fleet the key v and its button show only silent people, or everybody again",
  async ({ web }) => {
    // The daemon answers as if bo had done nothing for years.
    await web.context.route(/\/holders(\?|$)/, async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as Holders;
      const since = "2020-01-01T00:00:00.000Z";
      const holders = answer.holders.map((one) => (one.holder === "bo" ? { ...one, since } : one));
      await route.fulfill({ response, json: { ...answer, holders } });
    });
    const page = await fleetOf(web, [...some(1, "bo"), ...some(1, "cy")]);
    const names = async () => await page.locator(".fleet-who .name").allInnerTexts();
    const silent = page.locator('.fleet-lane[data-silent="true"]', { hasText: "bo" });
    await silent.waitFor();
    await expect.poll(names).toEqual(["bo", "cy"]);
    await page.keyboard.press("v");
    await expect.poll(names).toEqual(["bo"]);
    await button(page, "Everybody").waitFor();
    await page.keyboard.press("v");
    await expect.poll(names).toEqual(["bo", "cy"]);
    await button(page, "Only the silent").click();
    await expect.poll(names).toEqual(["bo"]);
    await page.keyboard.press("c");
    await expect.poll(names).toEqual(["bo", "cy"]);
  },
);
