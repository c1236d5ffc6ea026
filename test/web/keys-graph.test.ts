import type { Page } from "playwright-core";
import { expect } from "vitest";
import { chain, graphOf, linked } from "./support/linked.ts";
import { webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 800 } } });

const button = (page: Page, name: string) =>
  page.locator(".tool-acts").getByRole("button", { name, exact: true });
const about = (page: Page, text: RegExp) => page.locator(".showing").getByText(text);

/** Waits until the list of the graph has these lines. */
async function linesAre(page: Page, ...titles: readonly string[]): Promise<void> {
  const shown = page.locator(".list-line .text");
  await expect.poll(async () => (await shown.allTextContents()).toSorted()).toEqual(titles);
}

inChromium(
  "in the graph the key H and its button show closed issues, and hide them again",
  async ({ web }) => {
    const [dig] = await linked(web, ["Dig", "Build", "Move in"], {
      blocks: [
        [0, 1],
        [1, 2],
      ],
    });
    const closing = {
      ...{
        reason: "done",
        message: "The hole is as deep as the plan says, and its walls stand.",
        actor: "ann",
      },
      evidence: [{ type: "commit", sha: "1f2e3d4" }],
    };
    const path = `/projects/1/issues/${dig?.uid}/actions/close`;
    expect(await web.call("POST", path, closing)).toMatchObject({ status: 200 });
    const page = await graphOf(web, "Move in");
    await linesAre(page, "Build", "Move in");
    await page.keyboard.press("H");
    await linesAre(page, "Build", "Dig", "Move in");
    await page.locator(".graph-box", { hasText: "Dig" }).waitFor();
    await page.keyboard.press("H");
    await linesAre(page, "Build", "Move in");
    await button(page, "Show closed").click();
    await linesAre(page, "Build", "Dig", "Move in");
    await button(page, "Hide closed").click();
    await linesAre(page, "Build", "Move in");
  },
);

inChromium("in the graph the key T and its button show implied links", async ({ web }) => {
  await linked(web, ["Dig", "Build", "Move in"], {
    blocks: [
      [0, 1],
      [1, 2],
      [0, 2],
    ],
  });
  const page = await graphOf(web, "Move in");
  const again = page.locator(".list-line", { hasText: "(seen above)" });
  await linesAre(page, "Build", "Dig", "Move in");
  await page.keyboard.press("T");
  await again.waitFor();
  await button(page, "Hide implied").click();
  await again.waitFor({ state: "detached" });
  await button(page, "Show implied").click();
  await again.waitFor();
  await page.keyboard.press("T");
  await again.waitFor({ state: "detached" });
  await linesAre(page, "Build", "Dig", "Move in");
});

inChromium(
  "in the graph the keys [ and ] and their buttons change how many links away issues are shown",
  async ({ web }) => {
    await chain(web, 4);
    const page = await graphOf(web, "Step 4");
    const all = ["Step 1", "Step 2", "Step 3", "Step 4"];
    await linesAre(page, ...all);
    await page.keyboard.press("[");
    await about(page, /up to 2 links away$/).waitFor();
    await linesAre(page, ...all.slice(1));
    await page.keyboard.press("]");
    await about(page, /up to 3 links away$/).waitFor();
    await linesAre(page, ...all);
    await button(page, "Nearer").click();
    await button(page, "Nearer").click();
    await about(page, /up to 1 link away$/).waitFor();
    await linesAre(page, ...all.slice(2));
    await button(page, "Farther").click();
    await linesAre(page, ...all.slice(1));
  },
);

inChromium(
  "in the graph the key R and its button show the graph of another issue, and escape goes back",
  async ({ web }) => {
    const [first, second, third] = await linked(web, ["Dig", "Build", "Move in"], {
      blocks: [
        [0, 1],
        [1, 2],
      ],
    });
    const page = await graphOf(web, "Move in");
    const sourceIs = async (one: typeof first) =>
      await about(page, new RegExp(`^plan#${one?.short_id} `)).waitFor();
    await sourceIs(third);
    await page.keyboard.press("j");
    await page.locator('.list-line[data-cursor="true"]', { hasText: "Build" }).waitFor();
    await page.keyboard.press("R");
    await sourceIs(second);
    await page.locator(".list-line", { hasText: "Dig" }).click();
    await button(page, "From here").click();
    await sourceIs(first);
    await page.keyboard.press("Escape");
    await sourceIs(second);
    await page.keyboard.press("Escape");
    await sourceIs(third);
  },
);
