import type { Page } from "playwright-core";
import { expect } from "vitest";
import { type Web, webTest } from "./support/web.ts";

const inChromium = webTest();

interface CreateAnswer {
  readonly project: { readonly id: number };
  readonly issue: { readonly short_id: string; readonly uid: string };
}

async function made(web: Web, path: string, body: object): Promise<CreateAnswer> {
  const { status, body: answer } = await web.call("POST", path, { actor: "ann", ...body });
  expect(status, JSON.stringify(answer)).toBeLessThan(300);
  return answer as CreateAnswer;
}

/** Two projects; in the first one worker-1 holds what blocks the issue of worker-2, who asks ann about it. */
async function filled(web: Web) {
  const { project } = await made(web, "/projects", { name: "atlas" });
  await made(web, "/projects", { name: "borealis" });
  const issues = `/projects/${project.id}/issues`;
  const { issue: first } = await made(web, issues, { title: "Lay the ground", owner: "worker-1" });
  const { issue: second } = await made(web, issues, { title: "Build on it", owner: "worker-2" });
  await made(web, `${issues}/${first.short_id}/links`, { type: "blocks", to_ref: second.short_id });
  for (const [issue, message] of [
    [first, "Is stone right?"],
    [second, "How many floors?"],
  ] as const)
    await made(web, `${issues}/${issue.short_id}/actions/notify`, {
      to: "ann",
      message,
      actor: "worker-2",
    });
  return { project, first, second };
}

/** Opens a screen as ann. */
async function opened(web: Web, screen: string): Promise<Page> {
  // The script also runs in the blank page of a new tab, which has no storage.
  await web.context.addInitScript(() => {
    if (location.protocol === "http:") localStorage.setItem("svc.actor", "ann");
  });
  const page = await web.open(`/svc?screen=${screen}`);
  await page.locator(".page").waitFor();
  return page;
}

const row = (page: Page, at: number) => page.locator(`.list-line[data-at="${at}"]`);
const cursor = (page: Page) => page.locator('.list-line[data-cursor="true"]');

inChromium(
  "the inbox shows each request, and both a key and a click select one",
  async ({ web }) => {
    await filled(web);
    const page = await opened(web, "inbox");
    await row(page, 1).waitFor();
    expect(await row(page, 0).innerText()).toContain("Is stone right?");
    const whole = page.getByRole("region", { name: "the request" });
    await page.keyboard.press("j");
    await whole.getByText("How many floors?").waitFor();
    await row(page, 0).click();
    await whole.getByText("Is stone right?").waitFor();
  },
);

inChromium("a request is cleared by a key and by a button", async ({ web }) => {
  await filled(web);
  const page = await opened(web, "inbox");
  await row(page, 1).waitFor();
  await page.keyboard.press("c");
  await page.keyboard.press("y");
  await row(page, 1).waitFor({ state: "detached" });
  expect(await row(page, 0).innerText()).toContain("How many floors?");
  await page.getByRole("button", { name: "It was handled" }).click();
  await page.keyboard.press("y");
  await page.getByText("nobody asks ann for anything").waitFor();
});

inChromium(
  "projects show their counts, and both Enter and a click show the board of one",
  async ({ web }) => {
    await filled(web);
    const page = await opened(web, "projects");
    await row(page, 2).waitFor();
    expect(await row(page, 1).innerText()).toMatch(/atlas\s+2 open/);
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "atlas" }).waitFor();
    await page.keyboard.press("5");
    await row(page, 2).getByRole("link", { name: "borealis" }).click();
    await page.getByRole("heading", { name: "borealis" }).waitFor();
  },
);

inChromium("the fleet has a lane for each person, and a click opens the issue", async ({ web }) => {
  const { first } = await filled(web);
  const page = await opened(web, "fleet");
  await page.locator(".fleet-lane").nth(1).waitFor();
  expect(await page.locator(".fleet-lane").allInnerTexts()).toEqual([
    expect.stringMatching(/worker-1[\s\S]*Lay the ground/),
    expect.stringMatching(/worker-2[\s\S]*Build on it/),
  ]);
  await page.keyboard.press("j");
  await page.getByRole("region", { name: "the holder" }).getByText("worker-2 has").waitFor();
  await page.locator('.held-card[data-at="0"]').dblclick();
  await page.getByRole("region", { name: `issue atlas#${first.short_id}` }).waitFor();
});

inChromium("cron has tabs, between which keys and clicks switch", async ({ web }) => {
  const { project, first } = await filled(web);
  const definition = {
    ...{ version: 1, kind: "job", enabled: true, catchup: "latest", overlap: "allow" },
    trigger: { kind: "cron", cron: "0 9 * * 1", timezone: "Europe/Berlin" },
    issue: { kind: "per-run", title: "Look around", parent_uid: first.uid },
    action: { kind: "notify", recipient: "current-owner-or-author" },
  };
  const job = { uid: "01M80000000000000000000J01", name: "weekly", definition };
  await made(web, `/projects/${project.id}/cron/jobs`, job);
  const page = await opened(web, "cron&project=atlas");
  const tab = (name: string) => page.getByRole("tab", { name });
  await page.getByText("no run was recorded yet").waitFor();
  await tab("Jobs").click();
  await row(page, 0).getByText("weekly").waitFor();
  expect(await tab("Jobs").getAttribute("aria-selected")).toBe("true");
  await page.keyboard.press("p");
  await row(page, 1).getByText("09:00:00").waitFor();
  await tab("Jobs").click();
  await page.getByRole("button", { name: "Preview" }).click();
  await row(page, 1).getByText("09:00:00").waitFor();
  await tab("Jobs").click();
  await page.keyboard.press("T");
  await row(page, 0).getByText("off").waitFor();
});

inChromium(
  "the graph shows links and the critical path, by keys and by clicks",
  async ({ web }) => {
    const { second } = await filled(web);
    const page = await opened(web, "board&project=atlas");
    await page.getByText("Build on it").first().click();
    await page.locator(`.row[data-cursor="true"]#row-${second.uid}`).waitFor();
    await page.keyboard.press("3");
    await row(page, 1).getByText("blocked by").waitFor();
    await page.keyboard.press("C");
    await page.getByText("longest chain of open blockers").waitFor();
    await page.getByRole("button", { name: "All links" }).click();
    await row(page, 1).click();
    expect(await cursor(page).innerText()).toContain("Lay the ground");
  },
);
