import { describe, expect } from "vitest";
import { openAs } from "./support/sign-in.ts";
import { webTest } from "./support/web.ts";

describe.each([
  ["a phone", { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
  ["a wide window", { viewport: { width: 1920, height: 1080 } }],
] as const)("the first visit on %s", (_name, context) => {
  const inChromium = webTest({ context });

  inChromium(
    "a person who starts with nothing creates a project and its first issue",
    async ({ web }) => {
      const page = await openAs(web, "ann");
      await page.getByText("There is no project yet").waitFor();
      await page.getByRole("button", { name: "New project" }).click();
      await page.getByRole("dialog").locator("input").fill("garden");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "garden" }).waitFor();
      await page.getByRole("button", { name: "New issue" }).first().click();
      await page.getByRole("dialog").getByLabel("Title").fill("Water the plants");
      await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
      await page.locator(".row", { hasText: "Water the plants" }).waitFor();
      const { body } = await web.call("GET", "/projects/1/issues");
      expect(body).toMatchObject({ issues: [{ title: "Water the plants", author: "ann" }] });
    },
  );
});
