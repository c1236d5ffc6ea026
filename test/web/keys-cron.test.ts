import { expect } from "vitest";
import { filled } from "./support/filled.ts";
import { webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 800 } } });

inChromium("in cron d shows the definition of a job, and escape leaves it", async ({ web }) => {
  const parent_uid = (await filled(web, "Rounds")).get("Rounds");
  const definition = {
    ...{ version: 1, kind: "job", enabled: true, catchup: "latest", overlap: "allow" },
    trigger: { kind: "cron", cron: "0 9 * * 1", timezone: "Europe/Berlin" },
    issue: { kind: "per-run", title: "Walk along the quay", parent_uid },
    action: { kind: "notify", recipient: "current-owner-or-author" },
  };
  const job = { uid: "01M80000000000000000000J01", name: "weekly", definition, actor: "ann" };
  expect((await web.call("POST", "/projects/1/cron/jobs", job)).status).toBeLessThan(300);
  await web.context.addInitScript(() => {
    if (location.protocol === "http:") localStorage.setItem("svc.actor", "ann");
  });
  const page = await web.open("/svc?screen=cron&tab=jobs&project=product");
  const line = page.locator(".list-line", { hasText: "weekly" });
  await line.waitFor();
  await page.keyboard.press("d");
  const shown = page.getByRole("region", { name: "weekly" });
  await shown.getByRole("heading", { name: "job weekly" }).waitFor();
  await shown.getByText(/it holds now$/).waitFor();
  await shown.locator("pre").getByText("Walk along the quay").waitFor();
  expect(await line.count()).toBe(0);
  await page.keyboard.press("Escape");
  await line.waitFor();
  expect(await shown.count()).toBe(0);
});
