import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Web } from "./web.ts";

interface HeldIssue {
  readonly title: string;
  readonly owner: string;
}

/** A project of which the daemon knows who holds what; opens its fleet as ann. */
export async function fleetOf(web: Web, held: readonly HeldIssue[]): Promise<Page> {
  await web.call("POST", "/projects", { name: "plan", actor: "ann" });
  const send = async (one: HeldIssue): Promise<void> => {
    const body = { ...one, actor: "ann", force_new: true };
    expect((await web.call("POST", "/projects/1/issues", body)).status).toBe(200);
  };
  for (let at = 0; at < held.length; at += 30) await Promise.all(held.slice(at, at + 30).map(send));
  await web.context.addInitScript(() => {
    if (location.protocol === "http:") localStorage.setItem("svc.actor", "ann");
  });
  const page = await web.open("/svc?screen=fleet");
  await page.locator(".fleet-lane").first().waitFor();
  return page;
}

/** Tasks of one person. */
export const some = (count: number, owner: string): readonly HeldIssue[] =>
  Array.from({ length: count }, (_, at) => ({ title: `Task ${at + 1} of ${owner}`, owner }));
