import { expect } from "vitest";
import { filled, opened } from "./support/filled.ts";
import { webTest } from "./support/web.ts";

const inChromium = webTest({
  context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
});

inChromium("on a phone an issue is labelled and linked without a keyboard", async ({ web }) => {
  const uids = await filled(web, "One", "Two");
  const page = await opened(web, `/svc?issue=${uids.get("One") ?? ""}`);
  const detail = page.locator(".detail");
  await detail.getByRole("button", { name: "More" }).tap();
  await page.getByRole("menuitem", { name: "add a label" }).tap();
  await page.getByRole("dialog").locator("input").fill("bug");
  await page.getByRole("dialog").getByRole("button", { name: "OK" }).tap();
  await detail.locator(".label", { hasText: "bug" }).waitFor();

  // A message is one line beside buttons of 44 pixels: it takes the width that it needs, not a part of the window.
  const notice = page.locator(".notice", { hasText: "put bug on" });
  const { height = 999 } = (await notice.boundingBox()) ?? {};
  expect(height).toBeLessThan(70);

  await detail.getByRole("button", { name: "Wait for another issue" }).tap();
  await page.getByRole("dialog").locator("input").fill("two");
  await page.getByRole("dialog").locator(".option").first().tap();
  await detail.getByRole("link", { name: "Two" }).first().waitFor();
  const one = `/projects/1/issues/${uids.get("One") ?? ""}`;
  // The page shows the link before the daemon has it.
  await expect
    .poll(async () => (await web.call("GET", one)).body)
    .toMatchObject({ issue: { labels: ["bug"] }, links: [{ type: "blocks" }] });
  await page.locator(".notice").getByRole("button", { name: "Undo" }).tap();
  await detail.getByText("No links.").waitFor();
});

inChromium("escape closes the menu of an issue, and nothing is changed", async ({ web }) => {
  const uids = await filled(web, "One");
  const page = await opened(web, `/svc?issue=${uids.get("One") ?? ""}`);
  const more = page.locator(".detail").getByRole("button", { name: "More" });
  await more.tap();
  await page.getByRole("menu").waitFor();
  expect(await more.getAttribute("aria-expanded")).toBe("true");
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
  expect(await more.getAttribute("aria-expanded")).toBe("false");
});
