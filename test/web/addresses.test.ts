import type { Page } from "playwright-core";
import { expect } from "vitest";
import { linked } from "./support/linked.ts";
import { type Web, webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 800 } } });

/** Opens an address as ann. */
async function opened(web: Web, path: string): Promise<Page> {
  await web.context.addInitScript(() => {
    if (location.protocol === "http:") localStorage.setItem("svc.actor", "ann");
  });
  return await web.open(path);
}

async function made<Answer>(web: Web, path: string, body: object, headers = {}): Promise<Answer> {
  const { status, body: answer } = await web.call("POST", path, { actor: "ann", ...body }, headers);
  expect(status, JSON.stringify(answer)).toBeLessThan(300);
  return answer as Answer;
}

interface CreateAnswer {
  readonly issue: { readonly uid: string; readonly short_id: string };
}

/** A project with one issue, beside the one of `linked`. */
async function another(web: Web, name: string, title: string) {
  const { project } = await made<{ readonly project: { readonly id: number } }>(web, "/projects", {
    name,
  });
  const { issue } = await made<CreateAnswer>(web, `/projects/${project.id}/issues`, { title });
  return { ...issue, project: project.id, name: `${name}#${issue.short_id}` };
}

const queryOf = (page: Page): string => new URL(page.url()).search;
const source = (page: Page, title: string) =>
  page.locator('.graph-box[data-source="true"]', { hasText: title });
const heading = (page: Page, name: string) => page.getByRole("heading", { name }).waitFor();

inChromium(
  "a link to a graph opens it, and back and forward step through graphs",
  async ({ web }) => {
    const blocks = [[0, 1]] as const;
    const [dig, build] = await linked(web, ["Dig", "Build"], { blocks });
    await another(web, "other", "Else");
    // The issue is of another project than the one that is loaded.
    const page = await opened(web, `/svc?screen=graph&source=${build?.uid}&project=other`);
    await source(page, "Build").waitFor();
    expect(queryOf(page)).toBe(`?screen=graph&source=${build?.uid}&project=other`);
    await page.keyboard.press("j");
    await page.keyboard.press("R");
    await source(page, "Dig").waitFor();
    expect(queryOf(page)).toBe(`?screen=graph&source=${dig?.uid}&project=other`);
    await expect.poll(async () => await page.title()).toBe(`graph of plan#${dig?.short_id} · svc`);
    await page.goBack();
    await source(page, "Build").waitFor();
    await page.goForward();
    await source(page, "Dig").waitFor();
    await page.keyboard.press("Escape");
    await source(page, "Build").waitFor();
  },
);

inChromium("a short id opens its issue, and the address changes to the uid", async ({ web }) => {
  const [dig] = await linked(web, ["Dig"], { blocks: [] });
  const other = await another(web, "other", "Else");
  const page = await opened(web, `/svc?issue=${dig?.short_id.toUpperCase()}`);
  await heading(page, "Dig");
  await expect.poll(() => queryOf(page)).toBe(`?issue=${dig?.uid}`);
  // The browser takes the name for a fragment.
  await page.goto(`/svc?project=plan&issue=${other.name}`);
  await page.reload();
  await heading(page, "Else");
  await expect.poll(() => page.url()).toBe(`${web.origin}/svc?project=plan&issue=${other.uid}`);
  await page.goto("/svc?project=plan&issue=zzzz");
  await heading(page, "No issue is called zzzz in plan");
  expect(queryOf(page)).toBe("?project=plan&issue=zzzz");
  await page.getByRole("button", { name: "Back to the list" }).click();
  await expect.poll(() => queryOf(page)).toBe(`?project=plan&issue=${dig?.uid}`);
});

inChromium(
  "a short id of issues in several projects asks which issue is meant",
  async ({ web }) => {
    await linked(web, [], { blocks: [] });
    const other = await another(web, "other", "Else");
    const page = await opened(web, "/svc");
    // The daemon makes short ids by chance, so the answer gets a second issue with the same one.
    await page.route("**/api/v1/ui/references**", async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { readonly issues: readonly object[] };
      const [one] = body.issues;
      const twin = { ...one, uid: "01JD3T9K6Q2Z0W4B7N8M5X1Y2C", qualified_id: "third#twin" };
      await route.fulfill({ response: answer, json: { ...body, issues: [one, twin] } });
    });
    await page.goto(`/svc?issue=${other.short_id}`);
    await heading(page, `2 issues are called ${other.short_id}`);
    await page.getByRole("link", { name: `${other.name} Else` }).click();
    await heading(page, "Else");
  },
);

inChromium(
  "an address of an unknown or archived project says so, and shows no other board",
  async ({ web }) => {
    await linked(web, ["Dig"], { blocks: [] });
    const old = await another(web, "old", "Else");
    await web.call("DELETE", `/projects/${old.project}?force=true&actor=ann`);
    const page = await opened(web, "/svc?project=ghost");
    await page.getByText("There is no project called ghost.").waitFor();
    expect(await page.getByText("Dig").count()).toBe(0);
    expect(queryOf(page)).toBe("?project=ghost");
    await page.getByRole("button", { name: "Choose a project" }).click();
    await page.getByRole("link", { name: "plan", exact: true }).click();
    await page.getByText("Dig").first().waitFor();
    await page.goto("/svc?project=old");
    await page.getByText("The project old is archived.").waitFor();
    await page.getByText("svc projects restore old brings it back").waitFor();
    await web.call("POST", `/projects/${old.project}/restore?actor=ann`);
    await page.getByText("Else").first().waitFor();
  },
);

inChromium(
  "a link to an archived, deleted or purged issue says what became of it",
  async ({ web }) => {
    const [dig, build] = await linked(web, ["Dig", "Build"], { blocks: [] });
    const old = await another(web, "old", "Else");
    const remove = async (verb: "delete" | "purge", short_id = ""): Promise<void> => {
      const headers = { "x-svc-confirm": `${verb.toUpperCase()} plan#${short_id}` };
      await made(web, `/projects/1/issues/${short_id}/actions/${verb}`, { actor: "bo" }, headers);
    };
    await remove("delete", dig?.short_id);
    await remove("purge", build?.short_id);
    await web.call("DELETE", `/projects/${old.project}?force=true&actor=ann`);
    const page = await opened(web, `/svc?issue=${dig?.uid}`);
    await page.getByText(`Deleted by bo just now. Its text stays readable;`).waitFor();
    await page.goto(`/svc?issue=${build?.uid}`);
    await heading(page, `plan#${build?.short_id} was purged`);
    await page.getByText("It was erased by bo just now").waitFor();
    await page.goto(`/svc?issue=${old.uid}`);
    await heading(page, `${old.name} is in an archived project`);
    await page.getByText("svc projects restore old").waitFor();
  },
);
