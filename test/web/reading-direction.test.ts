import type { Page } from "playwright-core";
import { expect } from "vitest";
import { lived } from "./support/lived.ts";
import { goTo, placesOf } from "./support/places.ts";
import { type Web, webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 900 } } });

/** From this mark on, text is written from right to left. */
const REVERSE = "\u202e";
const PERSON = "ann";

/**
 * Puts the mark before titles, messages and owners, but not before the name of who looks at the page. No actor of a new
 * write may have it.
 */
function marked(body: object | undefined): object | undefined {
  if (body === undefined) return undefined;
  const entries = Object.entries(body).map(([key, value]: [string, unknown]) => {
    const isText = ["title", "message", "owner"].includes(key);
    return [key, isText && value !== PERSON ? `${REVERSE}${String(value)}` : value];
  });
  return Object.fromEntries(entries) as object;
}

/**
 * Returns the texts that are drawn before the text that precedes them in the page, on the same line. Each pair is two
 * neighbours in one element.
 */
async function misplaced(page: Page): Promise<readonly string[]> {
  return await page.evaluate(() => {
    const found: string[] = [];
    const isInline = (node: Node): boolean =>
      node instanceof Text
        ? node.data.trim() !== ""
        : getComputedStyle(node as Element).display === "inline";
    const linesOf = (node: Node): readonly DOMRect[] => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return [...range.getClientRects()].filter(({ width }) => width > 0);
    };
    for (const parent of document.body.querySelectorAll("*")) {
      const nodes = [...parent.childNodes].filter(
        (node) => (node instanceof Text || node instanceof HTMLElement) && isInline(node),
      );
      for (const [at, node] of nodes.entries()) {
        const before = nodes[at - 1];
        if (before === undefined) continue;
        const [end, start] = [linesOf(before).at(-1), linesOf(node)[0]];
        if (end === undefined || start === undefined) continue;
        const isSameLine = Math.abs(end.top - start.top) < 8;
        if (isSameLine && start.left < end.right - 1)
          found.push(`${before.textContent} | ${node.textContent}`);
      }
    }
    return found;
  });
}

inChromium(
  "direction marks in titles and names reorder nothing else",
  async ({ web }) => {
    const call: Web["call"] = async (method, path, body, headers) =>
      await web.call(method, path, marked(body), headers);
    const { uid } = await lived({ call });
    await web.context.addInitScript((name) => {
      if (location.protocol === "http:") localStorage.setItem("svc.actor", name);
    }, PERSON);
    const page = await web.open();
    const faults: string[] = [];
    for (const place of placesOf(uid)) {
      await goTo(page, place);
      for (const text of await misplaced(page)) faults.push(`${place.name}: ${text}`);
    }
    expect(faults).toEqual([]);
  },
  120_000,
);
