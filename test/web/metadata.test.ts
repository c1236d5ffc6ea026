import { expect } from "vitest";
import { filled, opened } from "./support/filled.ts";
import { webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 800 } } });

inChromium(
  "metadata is shown with long values cut, and with a button for more keys if there are many",
  async ({ web }) => {
    const open = (await filled(web, "Wall")).get("Wall");
    const long = `begin ${"word ".repeat(60)}end`;
    const keys = Array.from({ length: 8 }, (_, at) => [`work.key${at}`, at] as const);
    const patch = { ...Object.fromEntries(keys), "work.a": long };
    const path = `/projects/1/issues/${open}`;
    const { body } = await web.call("GET", path);
    const { revision } = (body as { readonly issue: { readonly revision: number } }).issue;
    const match = { "if-match": `"rev-${revision}"` };
    const answer = await web.call("POST", `${path}/metadata`, { actor: "ann", patch }, match);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const page = await opened(web, `/svc?issue=${open}`);
    const facts = page.locator(".facts .metadata");
    await facts.getByRole("button", { name: "3 more" }).click();
    await expect.poll(async () => await facts.count()).toBe(9);
    expect(await facts.last().innerText()).toMatch(/work\.key7\s+7/);
    await facts.locator("summary").click();
    await facts.locator(".whole-value").getByText("end").waitFor();
  },
);
