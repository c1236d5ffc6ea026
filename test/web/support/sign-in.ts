import type { Page } from "playwright-core";
import type { Web } from "./web.ts";

/** Opens the page and says who one is, as it asks at the first visit. */
export async function openAs({ open }: Web, name: string, path?: string): Promise<Page> {
  const page = await open(path);
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("button", { name: "Go on" }).click();
  return page;
}
