import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { filled, opened } from "./support/filled.ts";
import { type Web, webTest } from "./support/web.ts";

/** With reduced motion a message stays until the next key, however long the test takes. */
const inChromium = webTest({
  context: { viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" },
});

/** Presses keys one after the other. */
async function keys(page: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names) await page.keyboard.press(name);
}

const dialogOf = (page: Page): Locator => page.getByRole("dialog");
const field = (page: Page, name: string): Locator =>
  dialogOf(page).locator(`.field[data-name=${name}]`).locator("input, textarea");
const row = (page: Page, title: string): Locator =>
  page.locator(".row", { has: page.getByText(title, { exact: true }) });
const message = (page: Page, text: RegExp): Locator =>
  page.getByRole("region", { name: "message" }).getByText(text);

const gone = async (found: Locator): Promise<void> => {
  await expect.poll(async () => await found.count()).toBe(0);
};

/** Answers the prompt that a key opens. */
async function answer(page: Page, key: string, text: string): Promise<void> {
  await keys(page, key);
  await dialogOf(page).locator("input").waitFor();
  await page.keyboard.type(text);
  await keys(page, "Enter");
  await gone(dialogOf(page));
}

/** Fills a form that a key opens, and sends it. */
async function fill(
  page: Page,
  key: string,
  texts: Readonly<Record<string, string>>,
): Promise<void> {
  await keys(page, key);
  for (const [name, text] of Object.entries(texts)) await field(page, name).fill(text);
  await keys(page, "Control+Enter");
  await gone(dialogOf(page));
}

interface IssueContent {
  readonly issue: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly type: string }[];
  readonly comments: readonly object[];
}

/** Reads an issue from the daemon. */
function reader(web: Web, uid = ""): () => Promise<IssueContent> {
  return async () => (await web.call("GET", `/projects/1/issues/${uid}`)).body as IssueContent;
}

/** Waits until the daemon has these fields of an issue. */
async function holds(web: Web, uid: string | undefined, issue: object): Promise<void> {
  const read = reader(web, uid);
  await expect.poll(async () => (await read()).issue).toMatchObject(issue);
}

async function hasLinks(web: Web, uid: string | undefined, links: readonly string[]) {
  const read = reader(web, uid);
  await expect
    .poll(async () => (await read()).links.map(({ type }) => type).toSorted())
    .toEqual(links);
}

async function cursorIs(page: Page, title: string): Promise<void> {
  const cursor = page.locator(".row[data-cursor=true] .title a");
  await expect.poll(async () => await cursor.allTextContents()).toEqual([title]);
}

async function titlesAre(page: Page, ...titles: readonly string[]): Promise<void> {
  const shown = page.locator(".row .title a");
  await expect.poll(async () => await shown.allTextContents()).toEqual(titles);
}

async function markedAre(page: Page, count: number): Promise<void> {
  const marked = page.locator(".row[aria-selected=true]");
  await expect.poll(async () => await marked.count()).toBe(count);
}

/** Waits until the address has this value, or none. */
async function addressHas(page: Page, name: string, value: string | null): Promise<void> {
  await expect.poll(() => new URL(page.url()).searchParams.get(name)).toBe(value);
}

inChromium("the keys for moving work on the page", async ({ web }) => {
  await filled(web, "Four", "Three", "Two", "One");
  const page = await opened(web);
  for (const [key, title] of [
    ["G", "Four"],
    ["g", "One"],
    ["j", "Two"],
    ["ArrowDown", "Three"],
    ["j", "Four"],
    ["k", "Three"],
    ["ArrowUp", "Two"],
    ["End", "Four"],
    ["Home", "One"],
    ["PageDown", "Four"],
    ["PageUp", "One"],
    ["Control+d", "Four"],
    ["Control+u", "One"],
  ] as const) {
    await keys(page, key);
    await cursorIs(page, title);
  }
  await keys(page, "Enter");
  await expect.poll(() => new URL(page.url()).searchParams.has("issue")).toBe(true);
  await page.locator(".issue-title", { hasText: "One" }).waitFor();
  await keys(page, "Escape", "j");
  await cursorIs(page, "Two");
  await page.locator(".issue-title", { hasText: "Two" }).waitFor();
});

inChromium("the keys for marking work on the page", async ({ web }) => {
  const uids = await filled(web, "Four", "Three", "Two", "One");
  const page = await opened(web);
  await keys(page, "Space");
  await markedAre(page, 1);
  await cursorIs(page, "Two");
  await keys(page, "j", "V");
  await markedAre(page, 3);
  await keys(page, "!", "1");
  for (const title of ["One", "Two", "Three"]) await holds(web, uids.get(title), { priority: 1 });
  expect((await reader(web, uids.get("Four"))()).issue).not.toHaveProperty("priority");
  await markedAre(page, 3);
  await keys(page, "Escape");
  await markedAre(page, 0);
  await keys(page, "Space");
  await markedAre(page, 1);
  await keys(page, "Escape");
  await markedAre(page, 0);
});

inChromium("the keys for the status of an issue work on the page", async ({ web }) => {
  const one = (await filled(web, "One")).get("One");
  const page = await opened(web, "/svc?filter=status:all");
  await keys(page, "x");
  await holds(web, one, { status: "closed", closed_reason: "done" });
  await keys(page, "r");
  await holds(web, one, { status: "open" });
  await keys(page, "X");
  await dialogOf(page).getByRole("radio", { name: "wontfix" }).click();
  await field(page, "message").fill(
    "Nobody has needed it since May, when the release got another way.",
  );
  await keys(page, "Control+Enter");
  await holds(web, one, { status: "closed", closed_reason: "wontfix" });
  await gone(dialogOf(page));
  const closing = page.locator(".fact", { hasText: "Closed by" });
  await closing.getByText("Nobody has needed it since May").waitFor();
});

inChromium("the keys for undo and redo work on the page", async ({ web }) => {
  const one = (await filled(web, "One")).get("One");
  const page = await opened(web, "/svc?filter=status:all");
  for (const [key, status] of [
    ["x", "closed"],
    ["u", "open"],
    ["U", "closed"],
    ["u", "open"],
  ] as const) {
    await keys(page, key);
    await holds(web, one, { status });
  }
});

inChromium(
  "the keys for undo work before the answer to the change has arrived",
  async ({ web }) => {
    const one = (await filled(web, "One")).get("One");
    const page = await opened(web, "/svc?filter=status:all");
    const { promise: pressed, resolve: press } = Promise.withResolvers<void>();
    await page.route(/close$/, async (route) => {
      const response = await route.fetch();
      await pressed;
      await route.fulfill({ response });
    });
    await keys(page, "x");
    await holds(web, one, { status: "closed" });
    await keys(page, "u");
    await message(page, /u takes it back once the daemon has answered/).waitFor();
    press();
    await holds(web, one, { status: "open" });
    await message(page, /^undone: closed product#/).waitFor();
  },
);

inChromium("the keys for owner, priority, labels and dates work on the page", async ({ web }) => {
  const one = (await filled(web, "One")).get("One");
  const read = reader(web, one);
  const page = await opened(web);
  await answer(page, "a", "bo");
  await holds(web, one, { owner: "bo" });
  await keys(page, "A");
  await expect.poll(async () => (await read()).issue).not.toHaveProperty("owner");
  await keys(page, "!", "1");
  await holds(web, one, { priority: 1 });
  await keys(page, "!", "-");
  await expect.poll(async () => (await read()).issue).not.toHaveProperty("priority");
  await answer(page, "+", "bug");
  await holds(web, one, { labels: ["bug"] });
  await answer(page, "-", "bug");
  await holds(web, one, { labels: [] });
  await fill(page, "t", { deadline_on: "2099-03-01" });
  await holds(web, one, { metadata: { deadline_on: "2099-03-01" } });
});

inChromium("the keys for parent and links work on the page", async ({ web }) => {
  const one = (await filled(web, "Epic", "Other", "One")).get("One");
  const page = await opened(web);
  await answer(page, "b", "Other");
  await hasLinks(web, one, ["blocks"]);
  await keys(page, "B");
  await dialogOf(page).waitFor();
  await keys(page, "ArrowDown", "Enter");
  await hasLinks(web, one, []);
  await answer(page, "Alt+b", "Other");
  await hasLinks(web, one, ["blocks"]);
  await page.locator(".fact", { hasText: "Blocks" }).getByText("Other").waitFor();
  await keys(page, "u", "u");
  await hasLinks(web, one, []);
  await answer(page, "l", "Other");
  await hasLinks(web, one, ["related"]);
  await answer(page, "p", "Epic");
  await hasLinks(web, one, ["parent", "related"]);
});

inChromium(
  "the keys for new issues, texts, comments and tasks work on the page",
  async ({ web }) => {
    await filled(web, "One");
    const page = await opened(web);
    await fill(page, "n", { title: "Made by a form" });
    await row(page, "Made by a form").waitFor();
    await answer(page, "Q", "Made in one line +bug");
    await row(page, "Made in one line").waitFor();
    await row(page, "One").click();
    await cursorIs(page, "One");
    await fill(page, "N", { title: "Child" });
    await cursorIs(page, "Child");
    const { body } = await web.call("GET", "/projects/1/issues");
    const { issues } = body as { readonly issues: readonly IssueContent["issue"][] };
    const child = String(issues.find(({ title }) => title === "Child")?.["uid"]);
    await hasLinks(web, child, ["parent"]);
    await fill(page, "e", { body: "- [ ] first\n- [ ] second" });
    await holds(web, child, { body: "- [ ] first\n- [ ] second" });
    await keys(page, "T");
    await dialogOf(page).waitFor();
    await keys(page, "ArrowDown", "Enter");
    await holds(web, child, { body: "- [ ] first\n- [x] second" });
    await gone(dialogOf(page));
    await fill(page, "C", { body: "Said by key" });
    const read = reader(web, child);
    await expect.poll(async () => (await read()).comments).toMatchObject([{ body: "Said by key" }]);
  },
);

inChromium("the keys for copying work on the page", async ({ web }) => {
  await filled(web, "One");
  await web.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await opened(web);
  const copied = async () => await page.evaluate(() => navigator.clipboard.readText());
  await keys(page, "y");
  await expect.poll(copied).toMatch(/^product#\w+$/);
  await answer(page, "Y", "title");
  await expect.poll(copied).toBe("One");
});

inChromium(
  "the keys for the project of an issue, requests and deletion work on the page",
  async ({ web }) => {
    const uids = await filled(web, "Two", "One");
    await web.call("POST", "/projects", { name: "second", actor: "ann" });
    const page = await opened(web);
    await keys(page, "i");
    await dialogOf(page).locator("input").fill("bo");
    await keys(page, "Enter");
    await page.getByRole("dialog", { name: /bo/ }).locator("input").fill("Is it right?");
    await keys(page, "Enter");
    await expect
      .poll(async () => JSON.stringify((await web.call("GET", "/inbox?for=bo")).body))
      .toContain("Is it right?");

    await keys(page, "Delete");
    await dialogOf(page)
      .getByText(/^delete product#/)
      .waitFor();
    await keys(page, "y");
    await titlesAre(page, "Two");
    const one = async () => (await web.call("GET", `/projects/1/issues/${uids.get("One")}`)).status;
    await expect.poll(one).toBe(404);
    await keys(page, "u");
    await expect.poll(one).toBe(200);
    await row(page, "One").waitFor();

    await row(page, "Two").click();
    await cursorIs(page, "Two");
    await answer(page, "m", "second");
    const moved = async () =>
      (await web.call("GET", `/projects/2/issues/${uids.get("Two")}`)).status;
    await expect.poll(moved).toBe(200);
  },
);

inChromium("the keys for filter and order work on the page", async ({ web }) => {
  await filled(web, "Two", "One");
  const page = await opened(web);
  await keys(page, "s");
  await addressHas(page, "filter", "status:ready");
  await keys(page, "c");
  await addressHas(page, "filter", null);
  await keys(page, "/");
  await page.getByRole("combobox", { name: "filter" }).waitFor();
  await page.keyboard.type("two");
  await titlesAre(page, "Two");
  await keys(page, "Enter");
  await gone(page.getByRole("combobox", { name: "filter" }));
  await keys(page, "c");
  await titlesAre(page, "One", "Two");
  await fill(page, "f", { search: "one" });
  await titlesAre(page, "One");
  await keys(page, "c");
  await titlesAre(page, "One", "Two");
  await keys(page, "o");
  await addressHas(page, "order", "created");
  await keys(page, "O");
  await titlesAre(page, "Two", "One");
});

inChromium("the keys for views, groups and columns work on the page", async ({ web }) => {
  await filled(web, "Two", "One");
  const page = await opened(web, "/svc?filter=two");
  await titlesAre(page, "Two");
  await answer(page, "w", "twos");
  await keys(page, "c");
  await titlesAre(page, "One", "Two");
  await answer(page, "W", "twos");
  await titlesAre(page, "Two");
  await keys(page, "c");
  for (const view of ["flat", "states", "owners", null]) {
    await keys(page, "v");
    await addressHas(page, "view", view);
  }
  await page.locator(".row").first().waitFor();
  await keys(page, "z");
  await page.locator(".group-head").first().waitFor();
  await keys(page, "|");
  const owner = page.getByRole("menuitemcheckbox", { name: "owner" });
  await owner.waitFor();
  const before = await owner.getAttribute("aria-checked");
  await owner.press("Enter");
  await expect.poll(async () => await owner.getAttribute("aria-checked")).not.toBe(before);
  await keys(page, "Escape");
  await gone(dialogOf(page));
});

inChromium("the keys for screens and panes work on the page", async ({ web }) => {
  await filled(web, "One");
  const page = await opened(web);
  for (const [key, screen] of [
    ["2", "inbox"],
    ["3", "graph"],
    ["4", "cron"],
    ["5", "projects"],
    ["6", "fleet"],
    ["7", "cron"],
    ["1", null],
    ["I", "inbox"],
    ["P", "projects"],
    ["1", null],
  ] as const) {
    await keys(page, key);
    await addressHas(page, "screen", screen);
  }
  await row(page, "One").waitFor();
  await keys(page, "L");
  await gone(page.locator(".detail"));
  await keys(page, "L");
  await page.locator(".detail").waitFor();
});

inChromium("the keys for palette, help and lists work on the page", async ({ web }) => {
  await filled(web, "One");
  const page = await opened(web);
  const dialog = dialogOf(page);
  await answer(page, "a", "bo");
  await message(page, /^gave product#/).waitFor();
  await keys(page, "@");
  await dialog.getByText(/svc assign/).waitFor();
  await keys(page, "Escape");
  await gone(dialog);
  await keys(page, "M");
  await page
    .getByRole("dialog", { name: "Messages" })
    .getByText(/^gave product#/)
    .waitFor();
  await keys(page, "Escape");
  await gone(dialog);
  await keys(page, "?");
  await dialog.getByText("take the last change back").first().waitFor();
  await keys(page, "Escape");
  await gone(dialog);
  await keys(page, ":");
  await dialog.locator("input").fill("fleet");
  await keys(page, "Enter");
  await addressHas(page, "screen", "fleet");
});

inChromium("alt+t shows a text as it was written, and formatted again", async ({ web }) => {
  const uid = (await filled(web, "One")).get("One") ?? "";
  await web.call("PATCH", `/projects/1/issues/${uid}`, { body: "A **strong** word", actor: "ann" });
  const page = await opened(web, `/svc?issue=${uid}`);
  await page.locator(".description strong").waitFor();
  await keys(page, "Alt+t");
  await page.locator(".description pre", { hasText: "A **strong** word" }).waitFor();
  await keys(page, "Alt+t");
  await page.locator(".description strong").waitFor();
});
