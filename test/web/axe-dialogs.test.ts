import { describe, expect } from "vitest";
import { faultsInBothColours as faults } from "./support/axe.ts";
import { filled, opened } from "./support/filled.ts";
import { lived } from "./support/lived.ts";
import { webTest } from "./support/web.ts";

const DIALOGS = [
  ["a prompt", "+"],
  ["a question", "Delete"],
  ["the priorities", "!"],
  ["the columns", "|"],
  ["what was changed", "@"],
  ["the messages", "M"],
] as const;

describe.each([360, 1280])("a page %s pixels wide", (width) => {
  const inChromium = webTest({ context: { viewport: { width, height: 740 } } });

  inChromium(
    "axe finds no fault in the dialogs that a key opens, the menu of an issue, and a message",
    async ({ web }) => {
      await lived(web);
      const page = await opened(web, "/svc?project=harbour");
      const found: string[] = [];
      for (const [name, key] of DIALOGS) {
        await page.keyboard.press(key);
        await page.locator(".modal").waitFor();
        found.push(...(await faults(page)).map((fault) => `${name}: ${fault}`));
        await page.keyboard.press("Escape");
        await page.locator(".modal").waitFor({ state: "detached" });
      }
      await page.locator(".row").nth(1).click({ button: "right" });
      await page.getByRole("menu").waitFor();
      found.push(...(await faults(page)).map((fault) => `menu: ${fault}`));
      await page.keyboard.press("Escape");
      await page.keyboard.press("x");
      await page.locator(".notice", { hasText: "closed" }).waitFor();
      found.push(...(await faults(page)).map((fault) => `message: ${fault}`));
      expect(found).toEqual([]);
    },
    120_000,
  );

  inChromium(
    "axe finds no fault in a conflict, and in stored drafts",
    async ({ web }) => {
      const uid = (await filled(web, "One")).get("One") ?? "";
      const issue = `/projects/1/issues/${uid}`;
      await web.call("PATCH", issue, { body: "Before", actor: "ann" });
      const page = await opened(web);
      await page.keyboard.press("e");
      await page.locator(".field[data-name=body] textarea").fill("Mine");
      await web.call("PATCH", issue, { body: "Theirs", actor: "bo" });
      await page.getByRole("button", { name: "Save" }).click();
      await page.locator(".version").nth(2).waitFor();
      expect(await faults(page)).toEqual([]);

      await page.reload();
      await page.locator(".modal [role=option]").first().waitFor();
      expect(await faults(page)).toEqual([]);
    },
    120_000,
  );

  inChromium(
    "axe finds no fault in the banner of a daemon that does not answer",
    async ({ web }) => {
      await filled(web, "One");
      const page = await opened(web);
      await web.daemon.end("SIGTERM");
      await page.locator(".banner", { hasText: "does not answer" }).waitFor();
      expect(await faults(page)).toEqual([]);
    },
  );

  inChromium("axe finds no fault in the sign-in form that covers the page", async ({ web }) => {
    await filled(web, "One");
    const page = await opened(web);
    await web.daemon.end("SIGTERM");
    const token = "a-token-that-only-this-test-knows-000000";
    await web.startAgain({ toml: `[auth]\ntoken = "${token}"\nrequire_token_identity = true\n` });
    await page.locator(".over").getByLabel("Token").waitFor();
    expect(await faults(page)).toEqual([]);
  });
});

describe("the drawer", () => {
  const inChromium = webTest({ context: { viewport: { width: 360, height: 740 } } });
  inChromium("axe finds no fault in the drawer in light and dark colours", async ({ web }) => {
    await lived(web);
    const page = await opened(web, "/svc?project=harbour");
    await page.getByRole("button", { name: "screens and views" }).click();
    await page.locator(".drawer .place").first().waitFor();
    expect(await faults(page)).toEqual([]);
  });
});
