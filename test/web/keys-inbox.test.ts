import type { Page } from "playwright-core";
import { expect } from "vitest";
import { filled } from "./support/filled.ts";
import { type Web, webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 800 } } });

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const messages = async (page: Page) => await page.locator(".list-line .message").allInnerTexts();

async function messagesAre(page: Page, ...texts: readonly string[]): Promise<void> {
  await expect.poll(async () => await messages(page)).toEqual(texts);
}

/** Opens the inbox of ann, whom bo asks about these issues. */
async function asked(web: Web, requests: Readonly<Record<string, { to: string; says: string }>>) {
  const uids = await filled(web, ...Object.keys(requests));
  for (const [title, { to, says: message }] of Object.entries(requests)) {
    const path = `/projects/1/issues/${uids.get(title)}/actions/notify`;
    expect((await web.call("POST", path, { to, message, actor: "bo" })).status).toBe(200);
  }
  await web.context.addInitScript(() => {
    if (location.protocol === "http:") localStorage.setItem("svc.actor", "ann");
  });
  const page = await web.open("/svc?screen=inbox");
  await page.locator(".list-line").first().waitFor();
  return { page, uids };
}

const inboxOf = async (web: Web, name: string) =>
  JSON.stringify((await web.call("GET", `/inbox?for=${encodeURIComponent(name)}`)).body);

inChromium(
  "in the inbox the key C and its button comment on the issue, clear the request and notify the sender",
  async ({ web }) => {
    const { page, uids } = await asked(web, {
      Dig: { to: "ann", says: "How deep?" },
      Build: { to: "ann", says: "How high?" },
    });
    const comments = async (title: string) =>
      (await web.call("GET", `/projects/1/issues/${uids.get(title)}`)).body;
    const form = page.getByRole("dialog", { name: /^comment on product#\w+, clear the request/ });
    for (const [title, text, open] of [
      ["Dig", "Two metres.", async () => await page.keyboard.press("C")],
      ["Build", "Five floors.", async () => await button(page, "Answer").click()],
    ] as const) {
      await open();
      await form.getByText(/^bo asks: How/).waitFor();
      await form.locator(".field[data-name=body] textarea").fill(text);
      await page.keyboard.press("Control+Enter");
      await form.waitFor({ state: "detached" });
      await expect
        .poll(async () => await comments(title))
        .toMatchObject({ comments: [{ body: text, author: "ann" }] });
      await expect.poll(async () => await inboxOf(web, "bo")).toContain(uids.get(title));
    }
    await page.getByText("nobody asks ann for anything").waitFor();
    expect(await inboxOf(web, "ann")).not.toContain("How");
  },
);

inChromium(
  "in the inbox the key A and its button show the requests to all addresses of a person",
  async ({ web }) => {
    const { page } = await asked(web, {
      Dig: { to: "ann", says: "To you" },
      Build: { to: "ann/helper", says: "To your helper" },
      Paint: { to: "cy", says: "To somebody else" },
    });
    await messagesAre(page, "To you");
    await page.keyboard.press("A");
    await messagesAre(page, "To you", "To your helper");
    await page.locator(".list-line").nth(1).getByText("to ann/helper").waitFor();
    await button(page, "One address").click();
    await messagesAre(page, "To you");
    await button(page, "All my addresses").click();
    await messagesAre(page, "To you", "To your helper");
  },
);

inChromium(
  "in the inbox the key / and its button show the requests to another address",
  async ({ web }) => {
    const { page } = await asked(web, {
      Dig: { to: "ann", says: "To you" },
      Build: { to: "cy", says: "To somebody else" },
    });
    const asks = page.getByRole("dialog", { name: "requests not for ann but for" });
    await page.keyboard.press("/");
    await asks.getByRole("combobox").fill("cy");
    await page.keyboard.press("Enter");
    await messagesAre(page, "To somebody else");
    await page.getByText("for cy · 1 request, oldest first").waitFor();
    await button(page, "Another address …").click();
    const back = page.getByRole("dialog", { name: "requests not for cy but for" });
    await back.getByRole("combobox").fill("ann");
    await page.keyboard.press("Enter");
    await messagesAre(page, "To you");
  },
);

inChromium(
  "in the inbox the space key and its button mark requests, and all marked requests are cleared together",
  async ({ web }) => {
    const { page } = await asked(web, {
      Dig: { to: "ann", says: "First" },
      Build: { to: "ann", says: "Second" },
      Paint: { to: "ann", says: "Third" },
    });
    const marked = page.locator('.list-line[data-marked="true"]');
    await messagesAre(page, "First", "Second", "Third");
    await page.keyboard.press("Space");
    await expect
      .poll(async () => await marked.locator(".message").allInnerTexts())
      .toEqual(["First"]);
    // The cursor goes on to the next request.
    await page.locator('.list-line[data-cursor="true"]', { hasText: "Second" }).waitFor();
    await page.keyboard.press("j");
    await page.locator('.list-line[data-cursor="true"]', { hasText: "Third" }).waitFor();
    await button(page, "Mark").click();
    await expect.poll(async () => await marked.count()).toBe(2);
    await page.keyboard.press("c");
    await page.getByRole("dialog", { name: "clear 2 requests? they do not come back" }).waitFor();
    await page.keyboard.press("y");
    await messagesAre(page, "Second");
    await expect.poll(async () => await inboxOf(web, "ann")).not.toMatch(/First|Third/);
  },
);

inChromium("a message in the inbox covers none of the buttons there", async ({ web }) => {
  const { page } = await asked(web, { Dig: { to: "ann", says: "How deep?" } });
  const buttons = page.locator(".below .button");
  await buttons.first().waitFor();
  await page.keyboard.press("y");
  const message = await page.locator(".notice").boundingBox();
  for (const button of await buttons.all()) {
    const box = await button.boundingBox();
    if (message === null || box === null) throw new Error("a message or button is not in view");
    expect(box.y).toBeGreaterThan(message.y + message.height);
  }
});
