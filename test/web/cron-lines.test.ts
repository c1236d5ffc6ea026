import type { Page } from "playwright-core";
import { expect } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { faultsInBothColours } from "./support/axe.ts";
import { opened } from "./support/filled.ts";
import { makeJobs, recorded } from "./support/recorded.ts";
import { webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 800 } } });

type Rows = readonly (readonly string[])[];

/** The rows in view from top to bottom, each as the texts of its cells. */
async function rowsOf(page: Page): Promise<Rows> {
  return await page.locator(".list-line").evaluateAll((rows) =>
    rows
      .map((row) => ({
        at: Number(row.getAttribute("data-at")),
        cells: [...row.querySelectorAll<HTMLElement>("[role=gridcell]")].map(
          ({ innerText }) => innerText,
        ),
      }))
      .sort((a, b) => a.at - b.at)
      .map(({ cells }) => cells),
  );
}

const click = async (page: Page, role: "tab" | "button", name: string): Promise<void> =>
  await page.locator(".cron").getByRole(role, { name, exact: true }).click();

/** The row of the first day of a month, such as `2027-04`, at nine o'clock in Berlin. */
function dueInBerlin(month: string): readonly string[] {
  const number = Number(month.slice(5));
  const isSummer = number >= 4 && number <= 10;
  const here = `here ${month}-01 ${isSummer ? "07" : "08"}:00:00 +00:00`;
  return [
    `${month}-01 09:00:00 ${isSummer ? "+02:00" : "+01:00"}`,
    ...(number === 4 || number === 11 ? ["the clock has changed"] : []),
    here,
  ];
}

inChromium(
  "each tab of cron and the definitions show what was recorded, and axe finds no fault in them",
  async ({ web }) => {
    const { short_id } = await recorded(web);
    const page = await opened(web, "/svc?screen=cron&project=harbour");
    const found: string[] = [];
    const examine = async (name: string): Promise<void> =>
      void found.push(...(await faultsInBothColours(page)).map((fault) => `${name}: ${fault}`));
    const shows = async (name: string, rows: Rows): Promise<void> => {
      await expect.poll(async () => await rowsOf(page)).toEqual(rows);
      await examine(name);
    };

    await shows("runs", [
      ["failed", "triage", `${short_id} · 30m · 40k/3k tokens`, "RO\nrobot", "3d"],
      ["succeeded", "triage", `${short_id} · 1h · 80k/5k tokens`, "RO\nrobot", "3d"],
    ]);
    await page.locator(".below").getByText("summary the box was full").waitFor();

    await click(page, "button", "Definition");
    const [job, workflow] = [0, 1].map((at) => page.locator(".definitions article").nth(at));
    const textOf = async (article: typeof job): Promise<string | undefined> =>
      await article?.innerText();
    await expect
      .poll(async () => await textOf(job))
      .toMatch(/^job triage\s+3d ago by ann · now another: catchup\s+\{[^]*"catchup": "skip"/);
    await expect
      .poll(async () => await textOf(workflow))
      .toMatch(/^workflow sort and tell\s+3d ago · it holds now\s+\{[^]*"command": "tell"/);
    await examine("definitions");
    await click(page, "button", "Back");

    await click(page, "tab", "Workflows");
    await shows("workflows", [["sort and tell", "2 steps", "3d"]]);

    await click(page, "tab", "Jobs");
    await shows("jobs", [
      ["on", "daily walk", "every 86400s · notify", "3d"],
      ["held", "old round", "every 86400s · notify · parent closed", "3d"],
      ["on", "triage", "0 9 1 * * Europe/Berlin · execute", "3d"],
    ]);

    await click(page, "button", "Ledger");
    await page.getByText("of daily walk").waitFor();
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+00:00$/) as string;
    const child = expect.stringMatching(/^[0-9a-z]{4,}$/) as string;
    await shows("ledger", [
      ["delivered", time, child, "12h late"],
      ["discarded by latest", time, ""],
      ["discarded by latest", time, ""],
    ]);

    await click(page, "tab", "Jobs");
    await page.locator(".list-line", { hasText: "triage" }).click();
    await click(page, "button", "Preview");
    await page.getByText("of triage").waitFor();
    await page.locator(".list-line").nth(12).waitFor();
    // Whether the clock has changed before the first row depends on the month in which the test runs.
    const [, ...due] = await rowsOf(page);
    expect(due).toEqual(due.map(([said = ""]) => dueInBerlin(said.slice(0, 7))));
    await examine("preview");
    expect(found).toEqual([]);
  },
  120_000,
);

inChromium("an issue shows what its runs cost, and leads to them", async ({ web }) => {
  const { uid, idle } = await makeJobs(web, systemClock.nowMs());
  // With a second project the page opens on all projects.
  await web.call("POST", "/projects", { name: "other", actor: "ann" });
  const page = await opened(web, `/svc?issue=${uid}`);
  const cost = page.locator(".facts").getByTitle("Show the runs of the project");
  await cost.waitFor();
  expect(await cost.textContent()).toBe("2, 1 failed, 120k/8k tokens in/out, 2h");
  await cost.click();
  await page.waitForURL(/screen=cron/);
  await expect
    .poll(async () => (await rowsOf(page)).map(([is]) => is))
    .toEqual(["failed", "succeeded"]);

  await page.goto(`/svc?issue=${idle}`);
  await page.getByRole("tab", { name: /History \d/ }).waitFor();
  expect(await cost.count()).toBe(0);
});
