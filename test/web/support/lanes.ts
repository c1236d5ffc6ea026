import type { Locator, Page } from "playwright-core";
import type { Web } from "./web.ts";

interface CreatedIssue {
  readonly uid: string;
  readonly short_id: string;
}

/** Makes an issue; `more` is the rest of the request. */
export async function made(web: Web, title: string, more: object = {}): Promise<CreatedIssue> {
  const { body } = await web.call("POST", "/projects/1/issues", { title, actor: "ann", ...more });
  return (body as { readonly issue: CreatedIssue }).issue;
}

/** Opens the board by state or owner as somebody who has said who they are. */
export async function openLanes(web: Web, view: "states" | "owners"): Promise<Page> {
  await web.context.addInitScript(() => {
    // An empty tab has no storage.
    if (location.protocol === "http:") localStorage.setItem("svc.actor", "ana");
  });
  const page = await web.open(`/svc?project=product&view=${view}`);
  await page.locator(".card").first().waitFor();
  return page;
}

export const laneOf = (page: Page, name: string): Locator =>
  page.locator(`.lane[data-lane="${name}"]`);

export const cardOf = (page: Page, title: string): Locator =>
  page.locator(".card", { hasText: title });

/** The titles in each lane of the document. */
export async function cards(page: Page): Promise<Readonly<Record<string, readonly string[]>>> {
  return await page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll(".lane")].map((lane) => [
        lane.getAttribute("data-lane"),
        [...lane.querySelectorAll(".card-title")].map(({ textContent }) => textContent),
      ]),
    ),
  );
}

/** The title of the card with the cursor. */
export async function cursorOf(page: Page): Promise<string | null> {
  return await page.locator(".card[data-cursor=true] .card-title").textContent();
}

/** Moves the mouse from the middle of one element to another with its button down, and leaves it down. */
export async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  if (start === null || end === null) throw new Error("what is dragged is not in the window");
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(end.x + end.width / 2, end.y + Math.min(200, end.height / 2), { steps: 6 });
}
