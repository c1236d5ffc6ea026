import { expect } from "vitest";
import { filled, opened } from "./support/filled.ts";
import { isLive } from "./support/states.ts";
import { webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 800 } } });

interface CreateAnswer {
  readonly issue: { readonly uid: string };
}

inChromium(
  "a new link from an issue of another project appears in the open issue without a reload",
  async ({ web }) => {
    const uid = (await filled(web, "Here")).get("Here") ?? "";
    await web.call("POST", "/projects", { name: "second", actor: "ann" });
    const issues = "/projects/2/issues";
    const { body } = await web.call("POST", issues, { title: "Elsewhere", actor: "ann" });
    const from = (body as CreateAnswer).issue.uid;
    const page = await opened(web, `/svc?project=product&issue=${uid}`);
    await isLive(page);
    await page.locator(".issue-title", { hasText: "Here" }).waitFor();
    const peer = page.locator(".detail").getByText("Elsewhere");
    expect(await peer.count()).toBe(0);
    const link = { type: "blocks", to_ref: uid, actor: "ann" };
    expect(await web.call("POST", `${issues}/${from}/links`, link)).toMatchObject({ status: 200 });
    await peer.first().waitFor();
    // The list still has only the issues of its project.
    expect(await page.locator(".row .title a").allTextContents()).toEqual(["Here"]);
  },
);
