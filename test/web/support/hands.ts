import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { Terminal } from "../../support/pty.ts";

/** Counts what a person does: each key, each click or tap, and each entry of a text is one step. */
interface Counting {
  steps(): number;
  /** Types a text into the field that has the focus. */
  types(text: string): Promise<void>;
}

/** Uses nothing but the keyboard. Keys have the names of the key table. */
export interface Keys extends Counting {
  press(key: string): Promise<void>;
  /** Waits for words, as a person does who reads before the next key. */
  shows(words: string): Promise<void>;
}

/** Uses nothing but the mouse, and types texts. */
export interface Mouse extends Counting {
  click(place: Locator): Promise<void>;
  rightClick(place: Locator): Promise<void>;
}

/** Uses nothing but a finger, and types texts. */
export interface Finger extends Counting {
  tap(place: Locator): Promise<void>;
  /** Rests on a place until something opens there. */
  rest(place: Locator, opens: Locator): Promise<void>;
}

const NAMES: Readonly<Record<string, readonly [page: string, terminal: string]>> = {
  enter: ["Enter", "\r"],
  space: ["Space", " "],
  "ctrl+s": ["Control+s", "\u0013"],
};

export function keysOnPage(page: Page): Keys {
  const { count, steps } = counter();
  return {
    steps,
    press: async (key) => {
      count();
      await page.keyboard.press(NAMES[key]?.[0] ?? key);
    },
    types: async (text) => {
      count();
      await fieldOf(page).waitFor();
      await page.keyboard.type(text);
    },
    shows: async (words) => await page.getByText(words).filter({ visible: true }).first().waitFor(),
  };
}

export function keysOnTerminal(screen: Terminal): Keys {
  const { count, steps } = counter();
  return {
    steps,
    press: async (key) => {
      count();
      screen.type(NAMES[key]?.[1] ?? key);
    },
    types: async (text) => {
      count();
      screen.type(text);
      await screen.shows(text);
    },
    shows: async (words) => await screen.shows(words),
  };
}

export function mouseOf(page: Page): Mouse {
  const { count, steps } = counter();
  return {
    steps,
    click: async (place) => {
      count();
      await isInSight(place);
      await place.click();
    },
    rightClick: async (place) => {
      count();
      await isInSight(place);
      await place.click({ button: "right" });
    },
    types: async (text) => {
      count();
      await fieldOf(page).waitFor();
      await page.keyboard.type(text);
    },
  };
}

export function fingerOf(page: Page): Finger {
  const { count, steps } = counter();
  return {
    steps,
    tap: async (place) => {
      count();
      await isInSight(place);
      await place.tap();
    },
    rest: async (place, opens) => {
      count();
      await isInSight(place);
      const box = await place.boundingBox();
      if (box === null) throw new Error("a finger rests only on what is there");
      const browser = await page.context().newCDPSession(page);
      const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }];
      await browser.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
      await opens.waitFor();
      await browser.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
      await browser.detach();
    },
    types: async (text) => {
      count();
      await fieldOf(page).fill(text);
    },
  };
}

function counter() {
  let done = 0;
  return {
    count: (): void => {
      done += 1;
    },
    steps: () => done,
  };
}

/** The field of the open dialog that has the focus, so that no click or tap is needed before typing. */
function fieldOf(page: Page): Locator {
  return page.locator("dialog[open]").locator("input:focus, textarea:focus");
}

/** Waits until a person sees the place. Playwright would scroll to it by itself, and no step would be counted. */
async function isInSight(place: Locator): Promise<void> {
  await expect
    .poll(
      async () =>
        await place.evaluate((element) => {
          const { left, top, width, height } = element.getBoundingClientRect();
          const seen = document.elementFromPoint(left + width / 2, top + height / 2);
          return element.contains(seen);
        }),
      { message: `${place} is in sight` },
    )
    .toBe(true);
}
