import { expect } from "vitest";
import type { CronJob } from "../../src/screen/cron/state.ts";
import { filled } from "./support/filled.ts";
import { type Web, webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 800 } } });

const JOB = "01M80000000000000000000J01";

/** The page of ann with a weekly job. */
async function withJob(web: Web) {
  const parent_uid = (await filled(web, "Rounds")).get("Rounds");
  const definition = {
    ...{ version: 1, kind: "job", enabled: true, catchup: "latest", overlap: "allow" },
    trigger: { kind: "cron", cron: "0 9 * * 1", timezone: "Europe/Berlin" },
    issue: { kind: "per-run", title: "Walk along the quay", parent_uid },
    action: { kind: "notify", recipient: "current-owner-or-author" },
  };
  const job = { uid: JOB, name: "weekly", definition, actor: "ann" };
  const { status, body } = await web.call("POST", "/projects/1/cron/jobs", job);
  expect(status).toBeLessThan(300);
  await web.context.addInitScript(() => {
    if (location.protocol === "http:") localStorage.setItem("svc.actor", "ann");
  });
  const page = await web.open("/svc?screen=cron&tab=jobs&project=product");
  const line = page.locator(".list-line", { hasText: "weekly" });
  await line.waitFor();
  const { definition_event_uid } = (body as { readonly job: CronJob }).job;
  return { page, line, definition, definition_event_uid };
}

inChromium(
  "in cron the key d shows the definition of a job, and escape closes the definition",
  async ({ web }) => {
    const { page, line } = await withJob(web);
    await page.keyboard.press("d");
    const shown = page.getByRole("region", { name: "weekly" });
    await shown.getByRole("heading", { name: "job weekly" }).waitFor();
    await shown.getByText(/it holds now$/).waitFor();
    await shown.locator("pre").getByText("Walk along the quay").waitFor();
    expect(await line.count()).toBe(0);
    await page.keyboard.press("Escape");
    await line.waitFor();
    expect(await shown.count()).toBe(0);
  },
);

inChromium(
  "if somebody changes a job while T turns it off, both versions are shown before anything is sent again",
  async ({ web }) => {
    const { page, definition, definition_event_uid } = await withJob(web);
    const path = `/projects/1/cron/jobs/${JOB}`;
    await page.route(new RegExp(`/cron/jobs/${JOB}$`), async (route) => {
      const body = {
        name: "weekly",
        definition: { ...definition, catchup: "all" },
        expected_event_uid: definition_event_uid,
        actor: "bea",
      };
      if (route.request().method() === "GET") await web.call("PATCH", path, body);
      await route.continue();
    });
    await page.keyboard.press("T");
    const dialog = page.getByRole("dialog", { name: "weekly was changed while you turned it off" });
    await dialog.getByText("What it was, what it is now, and what you wanted.").waitFor();
    await dialog.locator(".version.theirs", { hasText: "all" }).waitFor();
    await dialog.getByRole("button", { name: "Turn it off as it is now" }).click();
    await dialog.waitFor({ state: "detached" });
    const enabled = async () =>
      ((await web.call("GET", path)).body as { readonly job: CronJob }).job.definition["enabled"];
    await expect.poll(enabled).toBe(false);
  },
);
