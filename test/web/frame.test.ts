import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { filled, opened } from "./support/filled.ts";
import { webTest } from "./support/web.ts";

async function focused(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const { activeElement: element } = document;
    return element?.getAttribute("aria-label") ?? element?.textContent ?? "";
  });
}

/** Whether the element with the focus is within what the selector finds. */
async function isFocusIn(page: Page, selector: string): Promise<boolean> {
  return await page.evaluate((wanted) => document.activeElement?.closest(wanted) != null, selector);
}

describe("the drawer", () => {
  const inChromium = webTest({ context: { viewport: { width: 800, height: 700 } } });

  inChromium("is opened, read and closed by keyboard alone", async ({ web }) => {
    await filled(web, "One", "Two");
    const page = await opened(web);
    const menu = page.getByRole("button", { name: "screens and views" });
    const drawer = page.getByRole("dialog", { name: "screens and views" });
    await menu.focus();
    await page.keyboard.press("Enter");
    await drawer.waitFor();
    expect(await isFocusIn(page, ".drawer")).toBe(true);

    // No key acts on the list below, and Tab stays within.
    await page.keyboard.press("j");
    await page.keyboard.press("n");
    expect(await page.locator(".modal").count()).toBe(0);
    for (let at = 0; at < 40; at += 1) await page.keyboard.press("Tab");
    expect(await isFocusIn(page, "main")).toBe(false);

    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    expect(await focused(page)).toBe("screens and views");
    expect(await page.locator(".row").first().getAttribute("data-cursor")).toBe("true");

    await page.keyboard.press("Enter");
    await drawer.getByRole("button", { name: "Projects", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Projects", level: 1 }).waitFor();
    expect(await drawer.count()).toBe(0);
  });

  inChromium("closes by a click beside it, which does nothing else", async ({ web }) => {
    await filled(web, "One", "Two");
    const page = await opened(web);
    await page.getByRole("button", { name: "screens and views" }).click();
    const drawer = page.getByRole("dialog", { name: "screens and views" });
    await drawer.waitFor();
    const row = await page.locator(".row").nth(1).boundingBox();
    await page.mouse.click(700, (row?.y ?? 0) + 10);
    await drawer.waitFor({ state: "detached" });
    expect(await page.locator(".row").nth(1).getAttribute("data-cursor")).toBe("false");
  });
});

describe.each([360, 800, 1280])("a page %s pixels wide", (width) => {
  const inChromium = webTest({ context: { viewport: { width, height: 700 } } });

  inChromium(
    "the page shows who acts and the state of the connection, with an open issue too",
    async ({ web }) => {
      const uids = await filled(web, "One");
      const page = await opened(web, `/svc?issue=${uids.get("One") ?? ""}`);
      await page.locator(".issue-title").waitFor();
      if (width >= 1100) {
        await page.locator(".who", { hasText: "ana" }).getByText("live").waitFor();
        expect(await page.locator(".acting").count()).toBe(0);
        return;
      }
      const acting = page.getByRole("button", { name: "You are ana, connection: live" });
      await acting.waitFor();
      expect(await acting.locator(".initials").innerText()).toBe("AN");
      // The click fails where something lies over the button.
      await acting.click();
      await page.locator(".drawer .who", { hasText: "ana" }).waitFor();
    },
  );
});

describe("a message on the page", () => {
  const inChromium = webTest({ context: { reducedMotion: "reduce" } });

  inChromium(
    "disappears with the next click if the person prefers reduced motion",
    async ({ web }) => {
      await filled(web, "One", "Two");
      const page = await opened(web);
      await page.keyboard.press("Z");
      const notice = page.locator(".notice");
      await notice.waitFor();
      await page.locator(".row").nth(1).click();
      await notice.waitFor({ state: "detached" });
    },
  );

  inChromium("is dismissed by its button, and the focus returns to the list", async ({ web }) => {
    await filled(web, "One", "Two");
    const page = await opened(web);
    await page.keyboard.press("x");
    const notice = page.locator(".notice", { hasText: "closed" });
    await notice.waitFor();
    await notice.getByRole("button", { name: "dismiss" }).focus();
    await page.keyboard.press("Enter");
    await notice.waitFor({ state: "detached" });
    expect(await isFocusIn(page, ".window-list")).toBe(true);
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await notice.waitFor();
    await notice.getByRole("button", { name: "Undo" }).focus();
    await page.keyboard.press("Enter");
    await page.locator(".notice", { hasText: "undone" }).waitFor();
    expect(await isFocusIn(page, ".window-list, .notice")).toBe(true);
  });

  inChromium("a message that offers an undo has a button for it", async ({ web }) => {
    await filled(web, "One", "Two");
    const page = await opened(web);
    await page.keyboard.press("x");
    await page.locator(".notice", { hasText: "closed" }).waitFor();
    await page.locator(".notice").getByRole("button", { name: "dismiss" }).click();
    await page.keyboard.press("u");
    await page.locator(".notice", { hasText: "u again" }).waitFor();
    await page.locator(".notice").getByRole("button", { name: "Undo" }).click();
    await page.locator(".notice", { hasText: "undone" }).waitFor();
  });

  inChromium(
    "a message that offers to undo another change has a button for it too",
    async ({ web }) => {
      await filled(web, "One", "Two");
      const page = await opened(web);
      const notice = page.locator(".notice");
      await page.keyboard.press("x");
      await notice.getByText("closed").waitFor();
      await page.keyboard.press("C");
      await page.locator("textarea").fill("It works.");
      await page.keyboard.press("Control+Enter");
      await notice.getByText("commented on").waitFor();
      await page.keyboard.press("u");
      await notice.getByText("a comment is not taken back").waitFor();
      await notice.getByRole("button", { name: "Undo" }).click();
      await notice.getByText("undone").waitFor();
    },
  );

  inChromium(
    "is announced to a screen reader in one permanent region, as the banner is",
    async ({ web }) => {
      await filled(web, "One", "Two");
      const page = await opened(web);
      const region = page.locator("[aria-live]");
      expect(await region.count()).toBe(1);
      await region.evaluate((element) => element.setAttribute("data-same", ""));
      await page.keyboard.press("x");
      await expect.poll(async () => await region.textContent()).toMatch(/^closed .*, u undo$/);
      expect(await page.locator(".notice [role], .notice[role], .banner[role]").count()).toBe(0);
      await web.daemon.end("SIGTERM");
      await expect.poll(async () => await region.textContent()).toContain("does not answer");
      expect(await region.getAttribute("data-same")).toBe("");
    },
  );
});
