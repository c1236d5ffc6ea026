import type { Browser } from "playwright-core";
import { afterAll } from "vitest";
import { launchChromium } from "./installed-chromium.ts";

let launched: Promise<Browser> | undefined;

/** The browser of a test file, started for the first test that needs it. */
export async function browser(): Promise<Browser> {
  launched ??= launchChromium();
  return await launched;
}

afterAll(async () => {
  await (await launched)?.close();
});
