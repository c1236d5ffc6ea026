import { describe, expect } from "vitest";
import { accessFaults } from "./support/axe.ts";
import { openAs } from "./support/sign-in.ts";
import { type Web, webTest } from "./support/web.ts";

async function withIssue({ call }: Web): Promise<void> {
  await call("POST", "/projects", { name: "web", actor: "ann" });
  await call("POST", "/projects/1/issues", {
    title: "An issue",
    body: "What it is *about*.",
    actor: "ann",
  });
}

describe.each(["light", "dark"] as const)("a screen in %s colours", (scheme) => {
  const inChromium = webTest({
    context: { colorScheme: scheme, viewport: { width: 1280, height: 800 } },
  });

  inChromium("axe finds no fault in the first question, the list and an issue", async ({ web }) => {
    await withIssue(web);
    const asked = await web.open();
    await asked.getByRole("button", { name: "Go on" }).waitFor();
    expect(await accessFaults(asked)).toEqual([]);
    await asked.close();

    const page = await openAs(web, "ann");
    await page.getByText("An issue").first().waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.getByText("An issue").first().click();
    await page.getByText("What it is about.").first().waitFor();
    expect(await accessFaults(page)).toEqual([]);
  });
});
