import { expect } from "vitest";
import { faultsInBothColours } from "./support/axe.ts";
import { filled, opened } from "./support/filled.ts";
import { webTest } from "./support/web.ts";

const inChromium = webTest();

inChromium(
  "axe finds no fault in groups, series, deleted and archived issues, and a read-only page",
  async ({ web }) => {
    const uid = (await filled(web, "One", "Two")).get("One") ?? "";
    const { body } = await web.call("GET", `/projects/1/issues/${uid}`);
    const { short_id } = (body as { readonly issue: { readonly short_id: string } }).issue;
    const confirmed = { "x-svc-confirm": `DELETE product#${short_id}` };
    const gone = `/projects/1/issues/${uid}/actions/delete`;
    expect((await web.call("POST", gone, { actor: "bo" }, confirmed)).status).toBe(200);
    const made = await web.call("POST", "/projects/1/recurrences", {
      ...{ rrule: "FREQ=WEEKLY;BYDAY=MO", dtstart: "2030-01-07", timezone: "Europe/Berlin" },
      ...{ template: { title: "Water the plants", owner: "bo" }, actor: "ann" },
    });
    expect(made.status).toBe(201);
    await web.call("POST", "/projects", { name: "old", actor: "ann" });
    const old = await web.call("POST", "/projects/2/issues", { title: "Old", actor: "ann" });
    const archived = (old.body as { readonly issue: { readonly uid: string } }).issue.uid;
    expect((await web.call("DELETE", "/projects/2?force=true&actor=ann")).status).toBe(200);

    const page = await opened(web, "/svc?project=product");
    const found: string[] = [];
    const examine = async (name: string, shows: string, text: string): Promise<void> => {
      await page.locator(shows, { hasText: text }).first().waitFor();
      found.push(...(await faultsInBothColours(page)).map((fault) => `${name}: ${fault}`));
    };
    await page.keyboard.press("z");
    await examine("groups", ".group-head", "1");
    await page.goto("/svc?screen=cron&tab=series&project=product");
    await examine("series", ".list-line", "Water the plants");
    await page.goto(`/svc?project=product&issue=${uid}`);
    await examine("deleted issue", ".detail .said", "Deleted by bo");
    await page.goto(`/svc?issue=${archived}`);
    await examine("archived issue", ".detail h1", "is in an archived project");
    await web.daemon.end("SIGTERM");
    await web.startAgain({ args: ["--insecure-readonly"] });
    await page.goto("/svc?project=product");
    await examine("read-only", ".banner", "You can read here and change nothing");
    expect(found).toEqual([]);
  },
  120_000,
);

inChromium(
  "axe finds no fault in the page that is shown if the app cannot start",
  async ({ web }) => {
    await filled(web, "One");
    const page = await opened(web);
    const found: string[] = [];
    const examine = async (title: string): Promise<void> => {
      await page.getByRole("heading", { name: title }).waitFor();
      found.push(...(await faultsInBothColours(page)).map((fault) => `${title}: ${fault}`));
    };
    await web.context.route("**/api/v1/health", async (route) => {
      const answer = await route.fetch();
      const json = { ...(await answer.json()), api_schema_version: "0.9.0" };
      await route.fulfill({ response: answer, json });
    });
    await page.reload();
    await examine("This page does not fit the daemon");
    await web.context.unrouteAll({ behavior: "wait" });
    await web.context.route("**/api/v1/**", async (route) => await route.abort());
    await page.reload();
    await examine("svc does not answer");
    await web.context.unrouteAll({ behavior: "wait" });
    expect(found).toEqual([]);
  },
);
