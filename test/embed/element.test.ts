import { afterAll, beforeAll, describe, expect } from "vitest";
import type { SvcIssueProperties } from "../../web/embed/given.ts";
import { accessFaults } from "../web/support/axe.ts";
import { type Answers, answersOf, type Served, serveLived } from "./support/answers.ts";
import { type Site, siteTest } from "./support/site.ts";

let served: Served;
let answers: Answers;
beforeAll(async () => {
  served = await serveLived();
  answers = await answersOf(served, served.uid);
}, 60_000);
afterAll(async () => await served.end());

const inChromium = siteTest();

/** The text of the element, without the spaces that its layout makes. */
async function shownBy({ page }: Site): Promise<string> {
  const text = await page.locator("svc-issue").evaluate(({ shadowRoot }) => {
    return shadowRoot?.querySelector<HTMLElement>(".embedded")?.innerText ?? "";
  });
  return text.replaceAll(/\s+/g, " ").trim();
}

describe("what it shows", () => {
  inChromium("title, facts, text, links, comments and history of an issue", async ({ site }) => {
    await site.give(answers);
    const { page } = site;
    const text = await shownBy(site);
    for (const part of [
      "harbour#",
      "Pour the foundation of the quay wall",
      "Owner WO worker-1".replace("WO ", ""),
      "Asked of ann worker-1: The stone is here. Shall I begin?",
      "Open the new quay for ferries",
      "Set up the crane at the north end",
      "The quay wall has to bear two ferries at once.",
      "Then we can pour.",
    ])
      expect(text.replaceAll(/\b[WB][O1]\b ?/g, "")).toContain(part);
    expect(await page.locator("svc-issue .prose strong").allInnerTexts()).toEqual([
      "two ferries",
      "pour",
    ]);
    await page.getByRole("tab", { name: /History/ }).click();
    await page.getByText("created it: Pour the foundation of the quay wall").waitFor();
    // The boxes of tasks show, and do not change.
    expect(await page.getByRole("checkbox").count()).toBe(3);
    expect(await page.getByRole("checkbox", { disabled: true }).count()).toBe(3);
  });

  inChromium(
    "nothing without an issue, and the issue again after it was taken away",
    async ({ site }) => {
      expect(await shownBy(site)).toBe("");
      await site.give({ health: answers.health });
      expect(await shownBy(site)).toBe("");
      await site.give({ issue: answers.issue });
      expect(await shownBy(site)).toContain("Pour the foundation");
      await site.give({ issue: null });
      expect(await shownBy(site)).toBe("");
    },
  );

  inChromium("no history and no tab for it if no events were given", async ({ site }) => {
    await site.give({ issue: answers.issue, health: answers.health });
    expect(await site.page.getByRole("tab").allInnerTexts()).toEqual(["Comments 2"]);
  });

  inChromium(
    "what was given before the element was defined, and in a shadow tree of the host",
    async ({ site }) => {
      await site.open({
        body: '<main><div id="own"></div></main>',
        script: `const element = document.createElement("svc-issue");
        element.issue = { early: true };
        await import("/ui/ui.js");
        document.querySelector("#own").attachShadow({ mode: "open" }).append(element);
        window.early = [Object.hasOwn(element, "issue"), element.issue.early];`,
      });
      await site.page.waitForFunction(() => "early" in window);
      expect(await site.page.evaluate(() => Reflect.get(window, "early"))).toEqual([false, true]);
      await site.page.getByText("the daemon does not say the version of its API").waitFor();
    },
  );
});

describe("a line in place of the issue", () => {
  const of = (version?: string): SvcIssueProperties["health"] =>
    version === undefined ? {} : { api_schema_version: version };
  inChromium(
    "for a version that is missing, empty or too old, and for no other",
    async ({ site }) => {
      const lines: (readonly [SvcIssueProperties["health"], boolean])[] = [
        [undefined, false],
        [of(), false],
        [of(""), false],
        [of("0.4.99"), false],
        [of("0.5.0"), true],
        [of("1.0.0"), true],
      ];
      for (const [health, isShown] of lines) {
        await site.give({ ...answers, health: health ?? null });
        const text = await shownBy(site);
        expect([health, text.includes("Pour the foundation")]).toEqual([health, isShown]);
        expect([health, text.startsWith("This issue is not shown:")]).toEqual([health, !isShown]);
        const lines = await site.page.locator("svc-issue .embedded > *").count();
        expect(lines).toBe(1);
      }
    },
  );

  inChromium("for what is no answer, until an answer is given", async ({ site }) => {
    const { issue, health } = answers;
    const broken: unknown[] = [
      { error: { code: "issue_not_found" } },
      { ...issue, links: undefined },
      { ...issue, issue: { ...issue.issue, labels: 7 } },
      { ...issue, comments: [{ uid: "x" }] },
    ];
    for (const one of broken) {
      await site.give({ ...answers, issue: one as Answers["issue"] });
      expect(await shownBy(site)).toBe(
        "This issue is not shown: what was given is not the answer of the API.",
      );
      await site.give({ issue, health });
      expect(await shownBy(site)).toContain("Pour the foundation");
    }
  });
});

describe("a line in place of a history", () => {
  inChromium("that is no answer, and the issue stays", async ({ site }) => {
    const events = [{ event_uid: "x", actor: "ann", type: "issue.none", payload: {} }];
    await site.give({ ...answers, events: { events } as never });
    await site.page.getByRole("tab", { name: /History/ }).click();
    await site.page.getByText("The history is not shown:").waitFor();
    expect(await shownBy(site)).toContain("Pour the foundation");
    await site.give(answers);
    await site.page.getByText("created it: Pour the foundation of the quay wall").waitFor();
  });
});

inChromium(
  "children of another issue are all shown, whatever was hidden before",
  async ({ site }) => {
    const of = (uid: string) => ({
      ...answers,
      issue: {
        ...answers.issue,
        issue: { ...answers.issue.issue, uid },
        children: (["open", "closed"] as const).map((status) => {
          const name = { short_id: `${status}4`, qualified_id: `harbour#${status}4` };
          const title = `${uid} is ${status}`;
          return { ...name, uid: `${uid} ${status}`, title, status, blocked: false };
        }),
      },
    });
    await site.give(of("first") as never);
    await site.page.getByRole("button", { name: /1 closed/ }).click();
    expect(await shownBy(site)).not.toContain("first is open");
    await site.give(of("second") as never);
    expect(await shownBy(site)).toContain("second is open");
  },
);

describe("what it tells the host", () => {
  inChromium(
    "clicks and keys on issues, people and labels, also through a shadow tree",
    async ({ site }) => {
      const { page } = site;
      await site.give(answers);
      await page.evaluate(() => {
        const told: unknown[] = [];
        Reflect.set(window, "told", told);
        for (const name of ["svc-reference", "svc-person", "svc-label"])
          document.addEventListener(name, (event) => {
            const { detail, bubbles, composed } = event as CustomEvent<unknown>;
            told.push([name, detail, bubbles, composed]);
          });
      });
      const element = page.locator("svc-issue");
      const told = async (): Promise<unknown> =>
        await page.evaluate(() => (Reflect.get(window, "told") as unknown[]).splice(0));
      const { parent } = answers.issue;
      const reference = { name: parent?.qualified_id, uid: parent?.uid };
      await element.getByRole("link", { name: "Open the new quay" }).click();
      expect(await told()).toEqual([["svc-reference", reference, true, true]]);
      await element.getByRole("link", { name: "Open the new quay" }).press("Enter");
      expect(await told()).toEqual([["svc-reference", reference, true, true]]);
      await element.getByRole("link", { name: "#none" }).click();
      expect(await told()).toEqual([["svc-reference", { name: "harbour#none" }, true, true]]);
      await element.locator(".facts").getByRole("button", { name: "worker-1" }).click();
      await element.locator(".comments").getByRole("button", { name: "bo" }).press("Space");
      await element.locator(".facts").getByRole("button", { name: "ann" }).click();
      expect(await told()).toEqual([
        ["svc-person", { name: "worker-1" }, true, true],
        ["svc-person", { name: "bo" }, true, true],
        ["svc-person", { name: "ann" }, true, true],
      ]);
      await element.getByRole("button", { name: "stone" }).click();
      expect(await told()).toEqual([["svc-label", { name: "stone" }, true, true]]);
      await element.getByRole("tab", { name: /History/ }).click();
      await element.locator(".history").getByRole("button", { name: "ann" }).first().click();
      expect(await told()).toEqual([["svc-person", { name: "ann" }, true, true]]);
      expect(new URL(page.url()).pathname).toBe("/");
    },
  );
});

describe("how it looks", () => {
  inChromium("no style of the host gets in, and none of the element gets out", async ({ site }) => {
    const css = `body * { color: rgb(1, 2, 3) !important; font: 40px serif !important; }
      svc-issue { text-align: center; letter-spacing: 9px; text-transform: uppercase; line-height: 5; }`;
    const look = async () =>
      await site.page.evaluate(() => {
        const root = document.querySelector("svc-issue")?.shadowRoot;
        const styleOf = (element: Element | null | undefined) => {
          const style = element == null ? undefined : getComputedStyle(element);
          return [style?.color, style?.fontSize, style?.textAlign, style?.letterSpacing].concat(
            style?.textTransform,
            style?.lineHeight,
          );
        };
        return {
          title: styleOf(root?.querySelector("h1")),
          meta: styleOf(root?.querySelector("dt")),
          host: styleOf(document.querySelector("main > p")),
          sheets: document.styleSheets.length + document.adoptedStyleSheets.length,
        };
      });
    const body = '<main><svc-issue></svc-issue><p class="said warn">Ours</p></main>';
    await site.open({ body });
    await site.give(answers);
    const before = await look();
    await site.open({
      body,
      css: `:root { color-scheme: light dark; } body { margin: 0; } ${css}`,
    });
    await site.give(answers);
    const after = await look();
    expect([after.title, after.meta]).toEqual([before.title, before.meta]);
    expect(before.host[0]).toBe("rgb(0, 0, 0)");
    expect([before.sheets, after.sheets]).toEqual([1, 1]);
  });

  inChromium(
    "custom properties of the host change colours, fonts and distances",
    async ({ site }) => {
      const css = `body { --svc-text: rgb(9, 8, 7); --svc-ground: rgb(1, 1, 1); --svc-sans: monospace;
      --svc-font-size: 20px; --svc-density: 0.5; --svc-text-3: rgb(5, 5, 5); }`;
      await site.open({ css });
      await site.give(answers);
      const style = await site.page.locator("svc-issue").evaluate(({ shadowRoot }) => {
        const of = (selector: string): CSSStyleDeclaration | undefined => {
          const element = shadowRoot?.querySelector(selector);
          return element == null ? undefined : getComputedStyle(element);
        };
        const [inner, title] = [of(".embedded"), of("h1")];
        return [inner?.color, inner?.backgroundColor, inner?.fontFamily, title?.fontSize].concat(
          of("article")?.rowGap,
          of("dt")?.color,
        );
      });
      expect(style).toEqual([
        ...["rgb(9, 8, 7)", "rgb(1, 1, 1)", "monospace", "25px", "8px", "rgb(5, 5, 5)"],
      ]);
    },
  );

  inChromium("it is light or dark as the page around it is", async ({ site }) => {
    const ground = async (css: string, scheme: "light" | "dark"): Promise<string> => {
      await site.page.emulateMedia({ colorScheme: scheme });
      await site.open({ css });
      await site.give(answers);
      return await site.page.locator("svc-issue .embedded").evaluate((element) => {
        return getComputedStyle(element).backgroundColor.replace(/^oklch\(0\.(\d).*/, "$1");
      });
    };
    expect(await ground(":root { color-scheme: light dark; }", "light")).toBe("9");
    expect(await ground(":root { color-scheme: light dark; }", "dark")).toBe("1");
    expect(await ground("", "dark")).toBe("9");
    expect(await ground("main { color-scheme: dark; }", "light")).toBe("1");
  });

  inChromium("nothing is wider than the element, in a wide window too", async ({ site }) => {
    for (const width of [240, 360, 700, 1280]) {
      await site.open({ css: `body { margin: 0; } main { width: ${width}px; }` });
      await site.page.setViewportSize({ width: 1280, height: 800 });
      await site.give(answers);
      const wider = await site.page.locator("svc-issue").evaluate((element) => {
        const edge = element.getBoundingClientRect().right + 1;
        const all = element.shadowRoot?.querySelectorAll("*:not(.prose *)") ?? [];
        return [...all]
          .filter((one) => one.getBoundingClientRect().right > edge)
          .map((one) => one.outerHTML);
      });
      expect([width, wider]).toEqual([width, []]);
    }
  });
});

inChromium(
  "axe finds nothing, light and dark, comments and history, and in the line of a refusal",
  async ({ site }) => {
    const found: string[] = [];
    for (const colorScheme of ["light", "dark"] as const)
      for (const part of ["comments", "history", "line"]) {
        await site.page.emulateMedia({ colorScheme });
        await site.open({ body: "<main><h1>A page</h1><svc-issue></svc-issue></main>" });
        await site.give(part === "line" ? { issue: answers.issue } : answers);
        if (part === "history") await site.page.getByRole("tab", { name: /History/ }).click();
        found.push(...(await accessFaults(site.page)).map((f) => `${colorScheme} ${part}: ${f}`));
      }
    expect(found).toEqual([]);
  },
);

inChromium(
  "the element asks for its own script of Markdown only when an issue has a text",
  async ({ site }) => {
    const scripts = (): readonly string[] =>
      [...new Set(site.asked)].filter((path) => /html-/.test(path));
    const { issue, health } = answers;
    const bare = { ...issue, comments: [], issue: { ...issue.issue, body: "" } };
    await site.give({ issue: bare, health });
    expect(scripts()).toEqual([]);
    await site.give({ issue, health });
    expect(scripts().length).toBe(1);
    const kept = await site.page.evaluate(async () => [
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      await indexedDB.databases(),
      await caches.keys(),
      document.cookie,
    ]);
    expect(kept).toEqual([[], [], [], [], ""]);
  },
);
