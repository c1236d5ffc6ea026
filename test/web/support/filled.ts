import type { Page } from "playwright-core";
import type { Web } from "./web.ts";

/** A project with issues; returns their uids by title. */
export async function filled(web: Web, ...titles: readonly string[]): Promise<Map<string, string>> {
  await web.call("POST", "/projects", { name: "product", actor: "ann" });
  const uids = new Map<string, string>();
  for (const title of titles) {
    const { body } = await web.call("POST", "/projects/1/issues", { title, actor: "ann" });
    uids.set(title, (body as { readonly issue: { readonly uid: string } }).issue.uid);
  }
  return uids;
}

/** Opens the page as somebody who has said who they are. */
export async function opened(web: Web, path = "/svc"): Promise<Page> {
  await web.context.addInitScript(() => {
    // An empty tab has no storage.
    if (location.protocol === "http:") localStorage.setItem("svc.actor", "ana");
  });
  const page = await web.open(path);
  await page.locator(".row").first().waitFor();
  return page;
}
