import { copyFileSync, globSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { filled, opened } from "./support/filled.ts";
import { isLive } from "./support/states.ts";
import { webTest } from "./support/web.ts";

const inChromium = webTest();

const row = (page: Page, title: string) => page.locator(".row", { hasText: title });

inChromium("a page at whose address another daemon now answers is reloaded", async ({ web }) => {
  await filled(web, "One");
  const page = await opened(web);
  await isLive(page);
  await web.daemon.end("SIGTERM");
  const reloaded = page.waitForEvent("load");
  await web.startAgain({ env: { SVC_DSN: "other.db" } });
  await filled(web, "Elsewhere");
  await reloaded;
  await row(page, "Elsewhere").waitFor();
  await row(page, "One").waitFor({ state: "detached" });
});

inChromium(
  "a page shows the data of an older copy that is restored while the page is open",
  async ({ web }) => {
    const uid = (await filled(web, "Before", "Other")).get("Before") ?? "";
    await web.daemon.end("SIGTERM");
    const database = join(web.daemon.folder, "home", "svc.db");
    copyFileSync(database, `${database}.copy`);
    const later = await web.startAgain();
    const page = await opened(web);
    await isLive(page);
    await web.call("PATCH", `/projects/1/issues/${uid}`, { title: "After", actor: "bo" });
    await row(page, "After").waitFor();
    await later.end("SIGTERM");
    for (const file of globSync(`${database}-*`)) rmSync(file);
    copyFileSync(`${database}.copy`, database);
    await web.startAgain();
    await row(page, "Before").waitFor();
    await row(page, "After").waitFor({ state: "detached" });
  },
);
