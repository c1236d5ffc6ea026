import type { Page } from "playwright-core";
import { expect } from "vitest";
import { accessFaults } from "./support/axe.ts";
import { signIn } from "./support/states.ts";
import { type Web, webTest } from "./support/web.ts";

const TOKEN = "a-bootstrap-token-of-the-test-000";
const inChromium = webTest({
  toml: `[auth]\ntoken = "${TOKEN}"\nrequire_token_identity = true\n`,
});

const TITLES = ["One", "Two", "Three"] as const;
const WHY = "The old format is read by nobody any more, and its reader goes away with 2.0";

/** The list of a person who signed in with a token, from whom the daemon wants reasons for a close. */
async function listed(web: Web, width: number) {
  const { body } = await web.call(
    "POST",
    "/tokens",
    { actor: "ann" },
    { authorization: `Bearer ${TOKEN}` },
  );
  const { plaintext } = body as { readonly plaintext: string };
  const by = { authorization: `Bearer ${plaintext}` };
  await web.call("POST", "/projects", { name: "product", actor: "-" }, by);
  const uids = new Map<string, string>();
  for (const title of TITLES) {
    const { body: made } = await web.call("POST", "/projects/1/issues", { title, actor: "-" }, by);
    uids.set(title, (made as { readonly issue: { readonly uid: string } }).issue.uid);
  }
  const closedOf = async (title: (typeof TITLES)[number]): Promise<unknown> => {
    const path = `/projects/1/issues/${uids.get(title)}`;
    const { body: read } = await web.call("GET", path, undefined, by);
    return (read as { readonly issue: { readonly status: unknown } }).issue.status;
  };
  const page = await web.context.newPage();
  await page.setViewportSize({ width, height: 800 });
  await page.goto("/svc?project=product&order=-created");
  await signIn(page, plaintext);
  await page.locator(".row", { hasText: "Three" }).waitFor();
  return { page, by, uids, closedOf };
}

const line = (page: Page) => page.getByRole("dialog").locator("input");

for (const width of [390, 768, 1280])
  inChromium(
    `at ${width} pixels the key x asks in one line for what the rules require of a close`,
    async ({ web }) => {
      const { page, closedOf } = await listed(web, width);
      await page.keyboard.press("x");
      await line(page).waitFor();
      await page.keyboard.type("wontfix: too old");
      const dialog = page.getByRole("dialog");
      await dialog.getByText("wontfix needs a message of at least 60 characters").waitFor();
      expect(await accessFaults(page)).toEqual([]);
      await page.keyboard.press("Enter");
      expect(await line(page).inputValue()).toBe("wontfix: too old");
      expect(await closedOf("One")).toBe("open");
      await line(page).fill(`wontfix: ${WHY}`);
      await dialog.getByText("enter closes as wontfix").waitFor();
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
      await expect.poll(async () => await closedOf("One")).toBe("closed");
    },
  );

inChromium(
  "one message closes all marked issues, and the refused one is named",
  async ({ web }) => {
    const { page, by, uids, closedOf } = await listed(web, 1280);
    const lease = `/projects/1/issues/${uids.get("Two")}/lease/actions/acquire`;
    const { body } = await web.call(
      "POST",
      "/tokens",
      { actor: "bo" },
      { authorization: `Bearer ${TOKEN}` },
    );
    const bo = { authorization: `Bearer ${(body as { readonly plaintext: string }).plaintext}` };
    expect(await web.call("POST", lease, { actor: "-" }, bo)).toMatchObject({ status: 200 });
    for (let times = 0; times < TITLES.length; times += 1) await page.keyboard.press(" ");
    const bar = page.getByRole("group", { name: "marked issues" });
    await bar.getByText("3 marked").waitFor();
    await bar.getByRole("button", { name: "Close" }).click();
    await page.getByRole("dialog", { name: "close 3 issues" }).waitFor();
    await line(page).fill(`wontfix: ${WHY}`);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await expect.poll(async () => await closedOf("Three")).toBe("closed");
    const { body: read } = await web.call(
      "GET",
      `/projects/1/issues/${uids.get("Two")}`,
      undefined,
      by,
    );
    const { qualified_id: name } = (read as { readonly issue: { readonly qualified_id: string } })
      .issue;
    await page.getByText(`closed 2 issues, 1 refused (${name})`).first().waitFor();
    await bar.getByText("1 marked").waitFor();
    // The others are those of a page that is not signed in yet.
    expect(web.faults.refused.filter((one) => one.endsWith(" 409"))).toHaveLength(1);
  },
);

inChromium(
  "the one-line form of a close turns into the whole form and keeps what was typed",
  async ({ web }) => {
    const { page } = await listed(web, 1280);
    await page.keyboard.press("x");
    await line(page).fill("Both spokes were tried, and keep their grants now. commit:1f2e3d4");
    await page.getByRole("button", { name: "As a form" }).click();
    await page.getByRole("heading", { name: /^close product#/ }).waitFor();
    const value = page.locator(".field[data-name=value1] input");
    expect(await value.inputValue()).toBe("1f2e3d4");
    expect(await page.locator(".field[data-name=message] textarea").inputValue()).toBe(
      "Both spokes were tried, and keep their grants now.",
    );
  },
);
