import type { Page } from "playwright-core";
import { expect } from "vitest";
import { filled, opened } from "./support/filled.ts";
import { webTest } from "./support/web.ts";

const inChromium = webTest();
const titles = async (page: Page): Promise<readonly string[]> =>
  await page.locator(".row .title a").allTextContents();

const cursor = async (page: Page): Promise<string | null> =>
  await page.locator(".row[data-cursor=true] .title a").textContent();

inChromium(
  "keys that work in the terminal move, open, filter and go back on the page too",
  async ({ web }) => {
    await filled(web, "One", "Two", "Three");
    const page = await opened(web);
    expect(await titles(page)).toEqual(["Three", "Two", "One"]);
    await page.keyboard.press("j");
    expect(await cursor(page)).toBe("Two");
    await page.keyboard.press("Enter");
    await expect.poll(async () => await page.locator(".issue-title").textContent()).toBe("Two");
    expect(new URL(page.url()).searchParams.has("issue")).toBe(true);
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await page.keyboard.type("thr");
    await expect.poll(async () => await titles(page)).toEqual(["Three"]);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await expect.poll(async () => (await titles(page)).length).toBe(3);
  },
);

inChromium(
  "an issue is created with a form, given a priority by keys, and undo takes the priority away",
  async ({ web }) => {
    await filled(web, "One");
    const page = await opened(web);
    await page.keyboard.press("n");
    await page.locator(".field[data-name=title] input").fill("A new one");
    await page.keyboard.press("Control+Enter");
    await expect.poll(async () => await titles(page)).toEqual(["A new one", "One"]);
    await page.keyboard.press("g");
    await page.keyboard.press("!");
    await page.keyboard.press("0");
    const first = async (): Promise<unknown> => {
      const { body } = await web.call("GET", "/projects/1/issues");
      return (body as { readonly issues: readonly unknown[] }).issues[0];
    };
    await expect.poll(first).toMatchObject({ title: "A new one", author: "ana", priority: 0 });
    await page.keyboard.press("u");
    await page.keyboard.press("u");
    await expect.poll(first).not.toHaveProperty("priority");
  },
);

inChromium("x closes an issue at once, and u opens it again", async ({ web }) => {
  await filled(web, "One", "Two");
  const page = await opened(web);
  await page.keyboard.press("x");
  await expect.poll(async () => await titles(page)).toEqual(["One"]);
  const statuses = async (): Promise<unknown> =>
    (await web.call("GET", "/projects/1/issues?status=closed")).body;
  await expect.poll(statuses).toMatchObject({ issues: [{ title: "Two", closed_reason: "done" }] });
  await page.keyboard.press("u");
  await expect.poll(async () => await titles(page)).toEqual(["Two", "One"]);
});

inChromium(
  "changes by somebody else appear, and the cursor stays on its issue",
  async ({ web }) => {
    await filled(web, "One", "Two");
    const page = await opened(web);
    await expect.poll(async () => await page.locator(".connection").textContent()).toBe("live");
    expect(await cursor(page)).toBe("Two");
    await web.call("POST", "/projects/1/issues", { title: "Three", actor: "bo" });
    await expect.poll(async () => await titles(page)).toEqual(["Three", "Two", "One"]);
    expect(await cursor(page)).toBe("Two");
  },
);

inChromium(
  "an edit of an issue that somebody changed meanwhile shows both texts, and nothing is lost",
  async ({ web }) => {
    const uid = (await filled(web, "One")).get("One") ?? "";
    const page = await opened(web);
    await page.keyboard.press("e");
    await page.locator(".field[data-name=title] input").fill("Mine");
    await web.call("PATCH", `/projects/1/issues/${uid}`, { title: "Theirs", actor: "bo" });
    await web.call("POST", `/projects/1/issues/${uid}/actions/priority`, {
      priority: 1,
      actor: "bo",
    });
    await page.keyboard.press("Control+Enter");
    await page.getByText("Overwrite with mine").click();
    await expect.poll(async () => await titles(page)).toEqual(["Mine"]);
  },
);

inChromium("back and forward step through issues, and an address opens one", async ({ web }) => {
  const uids = await filled(web, "One", "Two");
  const page = await opened(web, `/svc?issue=${uids.get("One")}`);
  const title = page.locator(".issue-title");
  await expect.poll(async () => await title.textContent()).toBe("One");
  await page.keyboard.press("Escape");
  await page.locator(".row", { hasText: "Two" }).locator("a").click();
  await expect.poll(async () => await title.textContent()).toBe("Two");
  await page.goBack();
  await expect.poll(async () => await title.textContent()).toBe("One");
});

inChromium("hostile text is shown and does nothing", async ({ web }) => {
  const uid = (await filled(web, "One")).get("One") ?? "";
  const body =
    '<img src=x onerror="window.hit=1"> [x](javascript:window.hit=1) ![y](https://evil.example/y.png)';
  await web.call("PATCH", `/projects/1/issues/${uid}`, { body, actor: "ann" });
  const page = await opened(web);
  await page.locator(".description .image").waitFor();
  expect(await page.locator(".description img").count()).toBe(0);
  expect(await page.evaluate(() => Reflect.get(globalThis, "hit"))).toBeUndefined();
});

inChromium("a task is ticked by a click, and saved", async ({ web }) => {
  const uid = (await filled(web, "One")).get("One") ?? "";
  await web.call("PATCH", `/projects/1/issues/${uid}`, { body: "- [ ] a\n- [ ] b", actor: "ann" });
  const page = await opened(web);
  await page.locator(".task input").nth(1).click();
  const read = async (): Promise<unknown> =>
    (await web.call("GET", `/projects/1/issues/${uid}`)).body;
  await expect.poll(read).toMatchObject({ issue: { body: "- [ ] a\n- [x] b" } });
});

inChromium("a task is ticked by the space key on its box, and by the command", async ({ web }) => {
  const uid = (await filled(web, "One")).get("One") ?? "";
  await web.call("PATCH", `/projects/1/issues/${uid}`, { body: "- [ ] a\n- [ ] b", actor: "ann" });
  const page = await opened(web);
  const box = (at: number) => page.locator(".task input").nth(at);
  const body = async (): Promise<unknown> =>
    (await web.call("GET", `/projects/1/issues/${uid}`)).body;
  await box(1).focus();
  await page.keyboard.press("Space");
  await expect.poll(body).toMatchObject({ issue: { body: "- [ ] a\n- [x] b" } });
  await expect.poll(async () => await box(1).isChecked()).toBe(true);
  await expect.poll(async () => await box(1).evaluate((one) => one.matches(":focus"))).toBe(true);
  await page.keyboard.press("Space");
  await expect.poll(body).toMatchObject({ issue: { body: "- [ ] a\n- [ ] b" } });
  await page.keyboard.press("T");
  await page.getByRole("option", { name: "1 [ ] a" }).waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(body).toMatchObject({ issue: { body: "- [x] a\n- [ ] b" } });
});

inChromium("the document contains only the rows in the window", async ({ web }) => {
  await filled(web, ...Array.from({ length: 120 }, (_none, at) => `Issue ${at}`));
  const page = await opened(web);
  expect(await page.locator(".row").count()).toBeLessThan(60);
  await page.keyboard.press("G");
  await expect.poll(async () => await cursor(page)).toBe("Issue 0");
  expect(await page.locator(".row[data-cursor=true]").isVisible()).toBe(true);
});

inChromium("keys and scrolling leave no gap where rows should be", async ({ web }) => {
  await filled(web, ...Array.from({ length: 150 }, (_, at) => `Issue ${at + 1}`));
  const page = await opened(web);
  await page.locator(".row").nth(20).waitFor();
  /** By how many pixels the rows reach beyond the top and the bottom of the list. */
  const spare = async (): Promise<readonly number[]> =>
    await page.locator(".window-list").evaluate((list) => {
      const { top, bottom } = list.getBoundingClientRect();
      const rows = [...list.querySelectorAll(".row")].map((row) => row.getBoundingClientRect());
      const first = Math.min(...rows.map((row) => row.top));
      const last = Math.max(...rows.map((row) => row.bottom));
      return [top - first, last - bottom];
    });
  for (let key = 0; key < 60; key += 1) {
    await page.keyboard.press("j");
    const [, below = 0] = await spare();
    expect(below, `after key ${key + 1}`).toBeGreaterThanOrEqual(0);
  }
  for (const top of [0, 100, 700, 2500, 2400, 1200, 0]) {
    await page.locator(".window-list").evaluate(async (list, to) => {
      list.scrollTop = to;
      // The picture of the scroll, and the one after it.
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    }, top);
    expect(Math.min(...(await spare())), `scrolled to ${top}`).toBeGreaterThanOrEqual(0);
  }
});

inChromium(
  "a key that scrolls by one row adds one row to the document and removes one",
  async ({ web }) => {
    await filled(web, ...Array.from({ length: 120 }, (_, at) => `Issue ${at + 1}`));
    const page = await opened(web);
    const list = page.locator(".window-list");
    const top = async (): Promise<number> => await list.evaluate(({ scrollTop }) => scrollTop);
    // Farther from both ends than the rows that are drawn beyond the visible ones.
    for (let key = 0; key < 50; key += 1) await page.keyboard.press("j");
    await expect.poll(async () => await cursor(page)).toBe("Issue 70");
    const ids = async (): Promise<readonly string[]> =>
      await page.locator(".row").evaluateAll((rows) => rows.map(({ id }) => id));
    for (let key = 0, before = await ids(); key < 10; key += 1) {
      const from = await top();
      await page.keyboard.press("j");
      await expect.poll(top).toBe(from + 36);
      const after = await ids();
      const added = after.filter((id) => !before.includes(id));
      const removed = before.filter((id) => !after.includes(id));
      expect([added.length, removed.length]).toEqual([1, 1]);
      before = after;
    }
  },
);

inChromium("a person who has not given a name is asked for it once", async ({ web }) => {
  await filled(web, "One");
  const page = await web.open();
  await page.getByLabel("Name").fill("ana");
  await page.getByText("Go on").click();
  await page.locator(".row").first().waitFor();
  await page.reload();
  await page.locator(".row").first().waitFor();
});

inChromium("the menu copies the link of an issue, which opens it", async ({ web }) => {
  const uid = (await filled(web, "One", "Two")).get("One") ?? "";
  await web.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await opened(web);
  await page.locator(".row", { hasText: "One" }).click({ button: "right" });
  await page.getByRole("menuitem", { name: "copy the link" }).click();
  const copied = async (): Promise<string> =>
    await page.evaluate(async () => await navigator.clipboard.readText());
  await expect.poll(copied).toBe(`${web.origin}/svc?issue=${uid}`);
  const other = await web.open(await copied());
  await expect.poll(async () => await other.locator(".issue-title").textContent()).toBe("One");
});

inChromium("columns are chosen by keys, and the list shows them at once", async ({ web }) => {
  const uid = (await filled(web, "One")).get("One") ?? "";
  await web.call("POST", `/projects/1/issues/${uid}/actions/assign`, {
    owner: "bo",
    actor: "ann",
  });
  const page = await opened(web);
  const owner = page.locator(".row .person");
  await owner.waitFor();
  await page.keyboard.press("|");
  for (let at = 0; at < 2; at += 1) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await owner.waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await owner.waitFor();
  await page.keyboard.press("Escape");
  expect(await page.locator("dialog").count()).toBe(0);
});
