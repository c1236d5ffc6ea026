import type { Page } from "playwright-core";

/** The views and dialogs of the page: an address, and what is pressed there. */
export interface PagePlace {
  readonly name: string;
  readonly path: string;
  readonly keys?: readonly string[];
  /** What is in view when the place is drawn. */
  readonly shows: string;
}

const BOARD = "/svc?project=harbour";
const SERIES = "/svc?screen=cron&tab=series&project=harbour";

export function placesOf(uid: string): readonly PagePlace[] {
  return [
    { name: "board", path: BOARD, shows: ".row" },
    { name: "lanes", path: `${BOARD}&view=states`, shows: "main#list" },
    { name: "inbox", path: "/svc?screen=inbox", shows: ".list-line" },
    { name: "graph", path: BOARD, keys: ["3"], shows: ".graph-box" },
    { name: "cron", path: "/svc?screen=cron&project=harbour", shows: "[role=tab]" },
    { name: "owner lanes", path: `${BOARD}&view=owners`, shows: ".lane .card" },
    { name: "series", path: SERIES, shows: ".empty .button" },
    { name: "series form", path: SERIES, keys: ["n"], shows: ".modal .hint" },
    { name: "fleet", path: "/svc?screen=fleet", shows: ".fleet-lane" },
    { name: "projects", path: "/svc?screen=projects", shows: ".list-line" },
    { name: "detail", path: `${BOARD}&issue=${uid}`, shows: ".description table" },
    { name: "editor", path: `${BOARD}&issue=${uid}`, keys: ["e"], shows: ".modal textarea" },
    { name: "palette", path: BOARD, keys: [":"], shows: ".modal [role=option]" },
    { name: "help", path: BOARD, keys: ["?"], shows: ".modal" },
    { name: "filter", path: BOARD, keys: ["f"], shows: ".modal .field" },
    { name: "close", path: BOARD, keys: ["X"], shows: ".modal .field" },
    { name: "dates", path: BOARD, keys: ["t"], shows: ".modal .field" },
  ];
}

/** Goes to a place, and waits until it is drawn and nothing moves. */
export async function goTo(page: Page, { path, keys = [], shows }: PagePlace): Promise<void> {
  await page.goto(path);
  await page.locator(".page").waitFor();
  if (keys.length > 0) await page.locator(".row, .description, .empty .button").first().waitFor();
  for (const key of keys) await page.keyboard.press(key);
  await page.locator(shows).first().waitFor({ timeout: 15_000 });
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.allSettled(document.getAnimations().map(async ({ finished }) => await finished));
  });
}
