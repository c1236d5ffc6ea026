import type { CDPSession, Page } from "playwright-core";
import { expect } from "vitest";
import type { ShowAnswer } from "../../web/embed/answers.ts";
import { FORMAT_BELOW_BYTES } from "../../web/embed/formatted.ts";
import { type Hostile, hostileBodies, hostileRuns } from "../web/support/hostile.ts";
import { siteTest } from "./support/site.ts";

/** The longest time for which a text may hold the page, as processor time. */
const HELD_MS = 200;

const inChromium = siteTest({ viewport: { width: 1280, height: 800 } });

function answerWith(body: string): ShowAnswer {
  const at = "2026-11-20T10:00:00.000Z";
  const issue: ShowAnswer["issue"] = {
    ...{ uid: "uid", qualified_id: "product#abc4", title: "Text", author: "ann" },
    status: "open",
    ...{ body, labels: [], metadata: {}, created_at: at, updated_at: at },
  };
  return { issue, comments: [], links: [], children: [] };
}

/** The processor time that the thread of the page has used so far, in milliseconds. */
async function busyMs(chromiumPage: CDPSession): Promise<number> {
  const { metrics } = await chromiumPage.send("Performance.getMetrics");
  const seconds = metrics.find(({ name }) => name === "TaskDuration")?.value;
  if (seconds === undefined) throw new Error("the browser does not measure its tasks");
  return seconds * 1000;
}

/**
 * Gives the element an issue with this text, and returns for how long scripts, styles and layout held the page until the
 * text was drawn. Processor time is counted, because other programs may hold the processor meanwhile.
 */
async function show(page: Page, chromiumPage: CDPSession, issue: ShowAnswer): Promise<number> {
  await page.evaluate(() => {
    const element = document.querySelector("svc-issue");
    if (element !== null)
      Object.assign(element, { issue: null, health: { api_schema_version: "0.5.0" } });
  });
  const before = await busyMs(chromiumPage);
  await page.evaluate(async (given) => {
    const element = document.querySelector("svc-issue");
    if (element !== null) Object.assign(element, { issue: given });
    const frame = async (): Promise<void> =>
      await new Promise((resolve) => void requestAnimationFrame(() => resolve()));
    const isDrawn = (): boolean => {
      const text = element?.shadowRoot?.querySelector(".description > *");
      return text != null && text.childNodes.length > 0;
    };
    while (!isDrawn()) await frame();
    // The next frame lays out what was drawn.
    await frame();
    await frame();
  }, issue);
  return (await busyMs(chromiumPage)) - before;
}

const ELEMENTS = [
  ...["a", "blockquote", "br", "code", "del", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr"],
  ...["input", "li", "ol", "p", "pre", "s", "span", "strong", "table", "tbody", "td", "th"],
  ...["thead", "tr", "ul", "div", "button"],
];

/** What a drawn text has that it may not have. */
async function forbidden(page: Page): Promise<readonly string[]> {
  return await page.evaluate((allowed) => {
    const found = new Set<string>();
    const root = document.querySelector("svc-issue")?.shadowRoot;
    for (const element of root?.querySelectorAll(".description *") ?? []) {
      const name = element.localName;
      if (!allowed.includes(name)) found.add(name);
      for (const { name: attribute } of element.attributes)
        if (/^(on|style$|src|srcdoc|action|id$|name$)/.test(attribute))
          found.add(`${name} ${attribute}`);
      if (!(element instanceof HTMLAnchorElement)) continue;
      if (!["http:", "https:", "mailto:"].includes(element.protocol))
        found.add(`link to ${element.protocol}`);
      if (element.rel !== "noopener noreferrer") found.add("link without noopener");
      if (element.target !== "_blank") found.add("link that leaves the page");
    }
    return [...found];
  }, ELEMENTS);
}

/** The texts of the page's own test, and the longest ones that the element formats. */
function texts(): readonly Hostile[] {
  return [...hostileBodies(), ...hostileRuns(FORMAT_BELOW_BYTES - 1)];
}

inChromium(
  "hostile texts run nothing, load nothing, and hold the page of the host at most 200 ms each",
  async ({ site: { page, origin } }) => {
    expect(texts().length).toBeGreaterThanOrEqual(340);
    const said: string[] = [];
    page.on("dialog", (dialog) => {
      said.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("popup", (popup) => void said.push(`window: ${popup.url()}`));
    const chromiumPage = await page.context().newCDPSession(page);
    await chromiumPage.send("Performance.enable", { timeDomain: "threadTicks" });
    // The first text loads the script of Markdown.
    await show(page, chromiumPage, answerWith("A line of **text**."));
    let longest = 0;
    for (const { name, body } of texts()) {
      let held = await show(page, chromiumPage, answerWith(body));
      const found = await forbidden(page);
      if (found.length > 0) said.push(`${name}: ${found.join(", ")}`);
      // A text that holds the page does so each time. The element keeps the HTML of a text, so each time it is another.
      for (let again = 1; held > HELD_MS && again <= 5; again += 1)
        held = Math.min(held, await show(page, chromiumPage, answerWith(body.slice(0, -again))));
      longest = Math.max(longest, held);
      if (held > HELD_MS) said.push(`${name}: held the page for ${Math.round(held)} ms`);
    }
    // The measure counts something: a long text that is formatted takes some milliseconds.
    expect(longest).toBeGreaterThan(5);
    expect(said).toEqual([]);
    expect(await page.evaluate(() => Reflect.get(globalThis, "hit"))).toBeUndefined();
    expect(new URL(page.url()).origin).toBe(origin);
  },
  300_000,
);
