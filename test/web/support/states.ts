import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Waits until the page says that it follows the daemon's events. */
export async function isLive(page: Page): Promise<void> {
  await expect.poll(async () => await page.locator(".connection").textContent()).toBe("live");
}

/** Types a token into the form that asks for it. */
export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
}
