import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { filled, opened } from "./support/filled.ts";
import { foreignPage } from "./support/foreign-site.ts";
import { type Web, webTest } from "./support/web.ts";

const inChromium = webTest();

/** Another site in the browser in which somebody uses the page, and what the daemon answers to it. */
async function visit(web: Web, html: string) {
  await filled(web, "One");
  await opened(web);
  const before = web.faults.seen.length;
  const answers: string[] = [];
  const page = await web.context.newPage();
  page.on("response", async (answer) => {
    if (!answer.url().startsWith(web.origin)) return;
    const cookie = (await answer.request().allHeaders())["cookie"];
    answers.push([answer.request().method(), answer.status(), cookie].join(" "));
  });
  await page.goto(await foreignPage(html));
  // The other site's own requests are no fault of the page.
  const forgive = (): void => void web.faults.seen.splice(before);
  return { page, answers, forgive };
}

async function isUnchanged({ call }: Web): Promise<void> {
  expect((await call("GET", "/projects")).body).toMatchObject({ projects: [{ name: "product" }] });
  expect((await call("GET", "/projects/1/issues")).body).toMatchObject({
    issues: [{ title: "One", status: "open" }],
  });
}

/** Sends what a script of the other site can send; returns what the script gets to see. */
async function fetched(page: Page, url: string): Promise<readonly string[]> {
  return await page.evaluate(async (api) => {
    const body = JSON.stringify({ name: "evil", actor: "mallory" });
    const json = { "content-type": "application/json" };
    const seen: string[] = [];
    for (const [path, init] of [
      ["/projects", {}],
      ["/projects", { mode: "no-cors" }],
      ["/projects", { method: "POST", mode: "no-cors", body }],
      ["/projects", { method: "POST", headers: json, body }],
      ["/projects/1", { method: "DELETE" }],
      ["/ui/session/local", { method: "POST", mode: "no-cors", body: "{}" }],
    ] as const) {
      const answer = await fetch(api + path, { credentials: "include", ...init }).catch(() => null);
      seen.push(answer === null ? "nothing" : `${answer.type} ${answer.status}`);
    }
    return seen;
  }, url);
}

describe("another web site", () => {
  inChromium("can neither read nor change anything by fetch", async ({ web }) => {
    const { page, answers, forgive } = await visit(web, "<p>other</p>");
    const seen = await fetched(page, `${web.origin}/api/v1`);
    expect(seen.filter((one) => !["nothing", "opaque 0"].includes(one))).toEqual([]);
    await expect.poll(() => answers.length).toBeGreaterThanOrEqual(3);
    expect(answers.filter((one) => !/^[A-Z]+ 403 $/.test(one))).toEqual([]);
    await isUnchanged(web);
    forgive();
  });

  inChromium("cannot change anything by a form", async ({ web }) => {
    const action = `${web.origin}/api/v1/projects`;
    const html = `<form method="post" enctype="text/plain" action="${action}">
      <input name='{"name":"evil","actor":"mallory","x":"' value='"}'><button>send</button></form>`;
    const { page, answers, forgive } = await visit(web, html);
    await page.getByText("send").click();
    await page.getByText("origin_forbidden").waitFor();
    await expect.poll(() => answers).toEqual(["POST 403 "]);
    await isUnchanged(web);
    forgive();
  });
});
