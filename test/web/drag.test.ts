import { expect } from "vitest";
import { cardOf, cards, drag, laneOf, made, openLanes } from "./support/lanes.ts";
import { type Web, webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 800 } } });

async function filled(web: Web): Promise<void> {
  await web.call("POST", "/projects", { name: "product", actor: "ann" });
  await made(web, "Third", { owner: "cy" });
  await made(web, "Second", { owner: "bo" });
  await made(web, "First", { owner: "bo" });
}

async function stored({ call }: Web, title: string): Promise<unknown> {
  const open = await call("GET", "/projects/1/issues");
  const closed = await call("GET", "/projects/1/issues?status=closed");
  type Issues = { readonly issues: readonly { readonly title: string }[] };
  return [open, closed]
    .flatMap(({ body }) => (body as Issues).issues)
    .find((issue) => issue.title === title);
}

inChromium(
  "a card dropped on an owner's lane gets that owner, and u undoes it",
  async ({ web }) => {
    await filled(web);
    const page = await openLanes(web, "owners");
    await drag(page, cardOf(page, "First"), laneOf(page, "cy"));
    const ghost = page.locator(".ghost");
    await ghost.getByText("give to cy").waitFor();
    expect(await laneOf(page, "cy").getAttribute("data-takes")).toBe("true");
    await page.mouse.up();
    expect(await ghost.count()).toBe(0);
    await expect
      .poll(async () => await cards(page))
      .toEqual({ bo: ["Second"], cy: ["First", "Third"] });
    await expect.poll(async () => await stored(web, "First")).toMatchObject({ owner: "cy" });
    expect(await page.locator(".issue-title").count()).toBe(0);
    await page.keyboard.press("u");
    await expect.poll(async () => await stored(web, "First")).toMatchObject({ owner: "bo" });
  },
);

inChromium(
  "a card dropped on the closed lane closes its issue, and a card dropped back reopens it",
  async ({ web }) => {
    await filled(web);
    const page = await openLanes(web, "states");
    await drag(page, cardOf(page, "First"), laneOf(page, "Closed"));
    await page.locator(".ghost").getByText("close").waitFor();
    await page.mouse.up();
    await expect.poll(async () => await stored(web, "First")).toMatchObject({ status: "closed" });
    await expect.poll(async () => (await cards(page))["Closed"]).toEqual(["First"]);
    await drag(page, cardOf(page, "First"), laneOf(page, "Ready"));
    await page.locator(".ghost").getByText("open again").waitFor();
    await page.mouse.up();
    await expect.poll(async () => await stored(web, "First")).toMatchObject({ status: "open" });
  },
);

inChromium(
  "a lane that refuses a card says why while the card is over it and when the card is dropped",
  async ({ web }) => {
    await filled(web);
    const page = await openLanes(web, "states");
    const before = await stored(web, "First");
    await drag(page, cardOf(page, "First"), laneOf(page, "Blocked"));
    const why = "blocked, ready or waiting: links, dates and children decide that";
    await page.locator(".ghost").getByText(why).waitFor();
    expect(await laneOf(page, "Blocked").getAttribute("data-takes")).toBe("false");
    await page.mouse.up();
    await page.locator(".ghost").waitFor({ state: "detached" });
    await page.getByText(why).first().waitFor();
    expect(await stored(web, "First")).toEqual(before);
  },
);

inChromium(
  "escape ends a drag, and a drop on the same lane or outside of all lanes changes nothing",
  async ({ web }) => {
    await filled(web);
    const page = await openLanes(web, "owners");
    const before = await stored(web, "First");
    const ghost = page.locator(".ghost");
    const opened = page.locator(".issue-title");

    await drag(page, cardOf(page, "First"), laneOf(page, "cy"));
    await ghost.waitFor();
    await page.keyboard.press("x");
    await page.keyboard.press("Escape");
    await ghost.waitFor({ state: "detached" });
    await page.mouse.up();

    await drag(page, cardOf(page, "First"), page.locator(".sidebar"));
    await ghost.getByText("esc leaves it where it is").waitFor();
    await page.mouse.up();

    await drag(page, cardOf(page, "First"), laneOf(page, "bo"));
    await page.mouse.up();
    await ghost.waitFor({ state: "detached" });
    expect(await opened.count()).toBe(0);
    expect(await stored(web, "First")).toEqual(before);

    // A press without a move is a click.
    await cardOf(page, "First").click();
    await expect.poll(async () => await opened.textContent()).toBe("First");
  },
);

inChromium("marked cards are dragged together", async ({ web }) => {
  await filled(web);
  const page = await openLanes(web, "owners");
  await cardOf(page, "First").hover();
  await cardOf(page, "First").locator(".box").click();
  await cardOf(page, "Second").click({ modifiers: ["Shift"] });
  await drag(page, cardOf(page, "Second"), laneOf(page, "cy"));
  await page.locator(".ghost").getByText("and 1 more").waitFor();
  await page.mouse.up();
  await expect.poll(async () => await stored(web, "First")).toMatchObject({ owner: "cy" });
  await expect.poll(async () => await stored(web, "Second")).toMatchObject({ owner: "cy" });
});

inChromium("lanes scroll while a card is held at their edge", async ({ web }) => {
  await filled(web);
  for (let at = 0; at < 12; at += 1) await made(web, `Of o${at}`, { owner: `o${at}` });
  const page = await openLanes(web, "owners");
  const card = await cardOf(page, "First").boundingBox();
  await page.mouse.move((card?.x ?? 0) + 40, (card?.y ?? 0) + 40);
  await page.mouse.down();
  await page.mouse.move(1270, 400, { steps: 4 });
  const lanes = page.locator(".lanes");
  await expect
    .poll(
      async () =>
        await lanes.evaluate((one) => one.scrollLeft + one.clientWidth + 2 > one.scrollWidth),
    )
    .toBe(true);
  await page.locator(".ghost").getByText("give to o9").waitFor();
  await page.mouse.up();
  await expect.poll(async () => await stored(web, "First")).toMatchObject({ owner: "o9" });
});
