import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Web } from "./web.ts";

interface CreatedIssue {
  readonly short_id: string;
  readonly uid: string;
}

interface Links {
  readonly blocks: readonly (readonly [blocker: number, blocked: number])[];
}

/** A project called plan with issues of these titles, and the links between them by their places. */
export async function linked(
  web: Web,
  titles: readonly string[],
  { blocks }: Links,
): Promise<readonly CreatedIssue[]> {
  await web.call("POST", "/projects", { name: "plan", actor: "ann" });
  const made: CreatedIssue[] = [];
  for (const title of titles) {
    const { status, body } = await web.call("POST", ISSUES, { title, actor: "ann" });
    expect(status).toBe(200);
    made.push((body as { readonly issue: CreatedIssue }).issue);
  }
  for (const [from, to] of blocks) {
    const link = { type: "blocks", to_ref: made[to]?.short_id, actor: "ann" };
    const path = `${ISSUES}/${made[from]?.short_id}/links`;
    expect((await web.call("POST", path, link)).status).toBe(200);
  }
  return made;
}

const ISSUES = "/projects/1/issues";

/** Issues `Step 1` and so on, each of which blocks the next. */
export async function chain(web: Web, length: number): Promise<void> {
  const titles = Array.from({ length }, (_, at) => `Step ${at + 1}`);
  const blocks = titles.slice(1).map((_, at) => [at, at + 1] as const);
  await linked(web, titles, { blocks });
}

/** Opens the graph of an issue as ann. */
export async function graphOf(web: Web, title: string): Promise<Page> {
  await web.context.addInitScript(() => {
    if (location.protocol === "http:") localStorage.setItem("svc.actor", "ann");
  });
  const page = await web.open("/svc?project=plan&order=created");
  await page.getByText(title, { exact: true }).first().click();
  await page.keyboard.press("3");
  await page.locator(".list-line").first().waitFor();
  return page;
}
