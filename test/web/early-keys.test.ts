import { expect } from "vitest";
import { filled } from "./support/filled.ts";
import { isLive } from "./support/states.ts";
import { type Web, webTest } from "./support/web.ts";

const inChromium = webTest();

/** A page on which the script of the dialogs does not come before `release` is called. */
async function slowPage(web: Web, letters: "on" | "off") {
  await filled(web, "One");
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const asked = new Promise<void>((resolve) => {
    void web.context.route(/\/dialog-[^/]*\.js$/, async (route) => {
      resolve();
      await released;
      await route.continue();
    });
  });
  await web.context.addInitScript((off) => {
    if (location.protocol !== "http:") return;
    localStorage.setItem("svc.actor", "ann");
    if (off) localStorage.setItem("svc.letters", "off");
  }, letters === "off");
  const page = await web.open();
  await page.locator(".row").first().waitFor();
  await isLive(page);
  await asked;
  return { page, release };
}

inChromium("text typed before a dialog is loaded is in the dialog, in order", async ({ web }) => {
  const { page, release } = await slowPage(web, "on");
  await page.keyboard.press("n");
  await page.keyboard.type("Fix the gate");
  await page.keyboard.press("Tab");
  await page.keyboard.type("It is open.");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Why?");
  expect(await page.getByRole("dialog").count()).toBe(0);
  release();
  const form = page.getByRole("dialog");
  await form.waitFor();
  expect(await form.getByLabel("Title").inputValue()).toBe("Fix the gate");
  expect(await form.getByLabel("Body").inputValue()).toBe("It is open.\nWhy?");
  await page.keyboard.type(" Say.");
  expect(await form.getByLabel("Body").inputValue()).toBe("It is open.\nWhy? Say.");
});

inChromium(
  "while a dialog loads, space and enter do not press the button that opened it",
  async ({ web }) => {
    const { page, release } = await slowPage(web, "off");
    await page.getByRole("button", { name: "New issue" }).first().click();
    await page.keyboard.type("A b");
    await page.keyboard.press("Control+Enter");
    await page.locator(".row", { hasText: "A b" }).waitFor();
    release();
    const { body } = await web.call("GET", "/projects/1/issues");
    expect((body as { readonly issues: readonly unknown[] }).issues).toHaveLength(2);
  },
);

inChromium("columns chosen before the dialog for them is loaded stay chosen", async ({ web }) => {
  const { page, release } = await slowPage(web, "on");
  await page.keyboard.press("|");
  for (const key of ["ArrowDown", "ArrowDown", "Space", "ArrowDown"])
    await page.keyboard.press(key);
  release();
  const column = (name: string) => page.getByRole("menuitemcheckbox", { name });
  await column("owner").waitFor();
  const shown = async (name: string) => await column(name).getAttribute("aria-checked");
  expect([await shown("owner"), await shown("labels")]).toEqual(["false", "true"]);
  await page.keyboard.press("Space");
  expect([await shown("owner"), await shown("labels")]).toEqual(["false", "false"]);
});
