import { expect } from "vitest";
import { cardOf, cards, cursorOf, made, openLanes } from "./support/lanes.ts";
import { type Web, webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 800 } } });

async function heldBy(web: Web, uid: string): Promise<unknown> {
  const { body } = await web.call("GET", `/projects/1/issues/${uid}`);
  const { issue } = body as { readonly issue: Readonly<Record<string, unknown>> };
  return { status: issue["status"], owner: issue["owner"] };
}

inChromium("in lanes the keys > and < carry a card to the next owner and back", async ({ web }) => {
  await web.call("POST", "/projects", { name: "product", actor: "ann" });
  const { uid } = await made(web, "Carried", { owner: "bo" });
  await made(web, "Of bo", { owner: "bo" });
  await made(web, "Of cy", { owner: "cy" });
  const page = await openLanes(web, "owners");
  const state = async () => await heldBy(web, uid);
  await cardOf(page, "Carried").click();
  await page.keyboard.press("Escape");
  for (const [key, owner] of [
    [">", "cy"],
    ["<", "bo"],
    ["Shift+ArrowRight", "cy"],
    ["Shift+ArrowLeft", "bo"],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(async () => (await cards(page))[owner] ?? []).toContain("Carried");
    await expect.poll(state).toMatchObject({ status: "open", owner });
    expect(await cursorOf(page)).toBe("Carried");
  }
});

inChromium("in lanes by state the keys > and < close a card and open it again", async ({ web }) => {
  await web.call("POST", "/projects", { name: "product", actor: "ann" });
  const { uid } = await made(web, "Carried");
  const page = await openLanes(web, "states");
  const state = async () => await heldBy(web, uid);
  await page.keyboard.press("g");
  await page.keyboard.press(">");
  await expect.poll(async () => (await cards(page))["Closed"]).toEqual(["Carried"]);
  await expect.poll(state).toMatchObject({ status: "closed" });
  await page.keyboard.press("<");
  await expect.poll(async () => (await cards(page))["Ready"]).toEqual(["Carried"]);
  await expect.poll(state).toMatchObject({ status: "open" });
});

inChromium(
  "in lanes the key . asks for a lane, and moves the marked cards there",
  async ({ web }) => {
    await web.call("POST", "/projects", { name: "product", actor: "ann" });
    const first = await made(web, "First", { owner: "bo" });
    const second = await made(web, "Second", { owner: "bo" });
    await made(web, "Other", { owner: "cy" });
    const page = await openLanes(web, "owners");
    await cardOf(page, "First").click();
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("Space");
    await page.keyboard.press("Space");
    await expect.poll(async () => await page.locator(".card[aria-selected=true]").count()).toBe(2);
    await page.keyboard.press(".");
    const asks = page.getByRole("dialog", { name: "carry 2 issues to" });
    await asks.getByRole("option", { name: "give to cy" }).waitFor();
    await page.keyboard.type("cy");
    await page.keyboard.press("Enter");
    await asks.waitFor({ state: "detached" });
    for (const { uid } of [first, second])
      await expect.poll(async () => await heldBy(web, uid)).toMatchObject({ owner: "cy" });
    await expect.poll(async () => (await cards(page))["cy"]?.length).toBe(3);
  },
);
