import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { filled, opened } from "./support/filled.ts";
import { openAs } from "./support/sign-in.ts";
import { isLive, signIn } from "./support/states.ts";
import { type Web, webTest } from "./support/web.ts";

const TOKEN = "a-token-that-only-this-test-knows-000000";

const ADMIN = { authorization: `Bearer ${TOKEN}` };
const IDENTITY = `[auth]\ntoken = "${TOKEN}"\nrequire_token_identity = true\n`;

const inChromium = webTest();
const inIdentity = webTest({ toml: IDENTITY });

const field = (page: Page): Locator => page.locator(".field[data-name=body] textarea");
const banner = (page: Page): Locator => page.locator(".banner");
const save = async (page: Page): Promise<void> =>
  await page.locator(".modal .foot .button.strong").click();

async function comments(web: Web, uid: string, token?: string): Promise<readonly string[]> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { body } = await web.call("GET", `/projects/1/issues/${uid}`, undefined, headers);
  const { comments: all } = body as { readonly comments: readonly { readonly body: string }[] };
  return all.map((one) => one.body);
}

interface Token {
  readonly plaintext: string;
  readonly token: { readonly id: number };
}

async function tokenOf(web: Web, actor: string): Promise<Token> {
  return (await web.call("POST", "/tokens", { actor }, ADMIN)).body as Token;
}

/** A page on which somebody writes a comment. */
async function writing(web: Web, text: string) {
  const uid = (await filled(web, "One")).get("One") ?? "";
  const page = await opened(web, `/svc?issue=${uid}`);
  await isLive(page);
  // The page loads the scripts for writes after its first rows. Without them it must be reloaded.
  await page.waitForFunction(() =>
    performance
      .getEntriesByType("resource")
      .some(
        (entry) =>
          entry.name.includes("/work-") && "responseEnd" in entry && entry.responseEnd !== 0,
      ),
  );
  await page.keyboard.press("c");
  await field(page).fill(text);
  return { page, uid };
}

describe("the page after its daemon was killed", () => {
  inChromium(
    "the page says that no daemon answers, keeps what was typed, and continues once the daemon is back",
    async ({ web }) => {
      const { page, uid } = await writing(web, "Typed before");
      await web.daemon.end("SIGKILL");
      await banner(page).getByText("The daemon does not answer").waitFor();
      await save(page);
      await page.locator(".modal [role=alert]").getByText("nothing was sent").waitFor();
      expect(await field(page).inputValue()).toBe("Typed before");
      await web.startAgain();
      await banner(page).waitFor({ state: "detached" });
      await web.call("POST", "/projects/1/issues", { title: "Made after", actor: "bo" });
      await page.locator(".row", { hasText: "Made after" }).waitFor();
      await page.locator(".modal").getByText("the connection is back").waitFor();
      expect(await page.locator(".modal [role=alert]").count()).toBe(0);
      await field(page).fill("Typed after");
      await save(page);
      await field(page).waitFor({ state: "detached" });
      expect(await comments(web, uid)).toEqual(["Typed after"]);
    },
  );

  inChromium(
    "the page keeps its draft although it is reloaded while no daemon answers",
    async ({ web }) => {
      const { page, uid } = await writing(web, "Typed before");
      await web.daemon.end("SIGKILL");
      await banner(page).getByText("The daemon does not answer").waitFor();
      await save(page);
      await page.locator(".modal [role=alert]").getByText("nothing was sent").waitFor();
      await page.goto("about:blank");
      await web.startAgain();
      await page.goto(`${web.origin}/svc`);
      await page.getByRole("option", { name: /Typed before/ }).click();
      expect(await field(page).inputValue()).toBe("Typed before");
      expect(await page.locator(".modal [role=alert]").count()).toBe(0);
      await save(page);
      await field(page).waitFor({ state: "detached" });
      expect(await comments(web, uid)).toEqual(["Typed before"]);
    },
  );

  inChromium(
    "the page keeps a draft for the next visit if the person neither opens nor drops it",
    async ({ web }) => {
      const { page } = await writing(web, "Typed before");
      const draft = page.getByRole("option", { name: /Typed before/ });
      for (let visit = 0; visit < 2; visit += 1) {
        await page.reload();
        await draft.waitFor();
      }
      await page.keyboard.press("Escape");
      await draft.waitFor({ state: "detached" });
      const other = await web.open();
      await other.getByRole("option", { name: /Typed before/ }).waitFor();
      await page.goto("about:blank");
      await other.reload();
      await other.getByRole("option", { name: /Typed before/ }).waitFor();
    },
  );

  inChromium(
    "a page that opens while no daemon answers says so, and starts once a daemon answers",
    async ({ web }) => {
      await filled(web, "One");
      const page = await opened(web);
      await web.context.route("**/api/v1/**", async (route) => await route.abort());
      await page.reload();
      await page.getByRole("heading", { name: "svc does not answer" }).waitFor();
      await page.getByText("Nothing answers at this address").waitFor();
      await web.context.unroute("**/api/v1/**");
      await page.getByRole("button", { name: "Try again" }).click();
      await page.locator(".row").first().waitFor();
    },
  );
});

describe("a session that ends", () => {
  inChromium(
    "a session that ends by a restart that requires tokens leads to signing in, and then back to the page",
    async ({ web }) => {
      const { page, uid } = await writing(web, "Typed before");
      const token = await tokenOf(web, "ana");
      await web.daemon.end("SIGTERM");
      await web.startAgain({ toml: IDENTITY });
      await page.getByText("Your session has ended").waitFor();
      for (let time = 0; time < 3; time += 1) await page.keyboard.press("Escape");
      await page.locator("dialog.over[open]").waitFor();
      await signIn(page, "a-wrong-token-of-the-right-length-00000");
      await page.getByRole("alert").getByText("token").waitFor();
      await signIn(page, token.plaintext);
      await page.locator(".notice", { hasText: "signed in again" }).waitFor();
      expect(await field(page).inputValue()).toBe("Typed before");
      await isLive(page);
      await save(page);
      await field(page).waitFor({ state: "detached" });
      expect(await comments(web, uid, token.plaintext)).toEqual(["Typed before"]);
    },
  );

  inIdentity(
    "a session whose token is revoked leads to signing in with another token",
    async ({ web }) => {
      const [first, second] = [await tokenOf(web, "ann"), await tokenOf(web, "ann")];
      const by = { authorization: `Bearer ${first.plaintext}` };
      await web.call("POST", "/projects", { name: "product", actor: "-" }, by);
      const page = await web.open();
      await signIn(page, first.plaintext);
      await isLive(page);
      await page.keyboard.press("n");
      await page.locator(".field[data-name=title] input").fill("Typed before");
      const path = `/tokens/${first.token.id}/actions/revoke`;
      await web.call("POST", path, {}, ADMIN);
      await page.getByText("Your session has ended").waitFor();
      await signIn(page, second.plaintext);
      await page.locator(".notice", { hasText: "signed in again" }).waitFor();
      await isLive(page);
      await save(page);
      await page.locator(".row", { hasText: "Typed before" }).waitFor();
    },
  );

  inIdentity("a sign-in as another person shows no draft of the person before", async ({ web }) => {
    const [ann, bea] = [await tokenOf(web, "ann"), await tokenOf(web, "bea")];
    const by = { authorization: `Bearer ${ann.plaintext}` };
    await web.call("POST", "/projects", { name: "product", actor: "-" }, by);
    const page = await web.open();
    await signIn(page, ann.plaintext);
    await isLive(page);
    await page.keyboard.press("n");
    await page.locator(".field[data-name=title] input").fill("Typed before");
    await web.call("POST", `/tokens/${ann.token.id}/actions/revoke`, {}, ADMIN);
    await page.getByText("Your session has ended").waitFor();
    await signIn(page, bea.plaintext);
    await page.locator(".who", { hasText: "bea" }).waitFor();
    await isLive(page);
    await page.getByText("Typed before").waitFor({ state: "detached" });
    const again = await tokenOf(web, "ann");
    await page.getByRole("button", { name: "Sign out" }).click();
    await signIn(page, again.plaintext);
    await page.getByRole("option", { name: /Typed before/ }).waitFor();
  });
});

inChromium("people who share a browser see their own drafts only", async ({ web }) => {
  await filled(web, "One");
  const page = await openAs(web, "ann");
  await isLive(page);
  await page.keyboard.press("n");
  await page.locator(".field[data-name=title] input").fill("Typed before");
  for (const [name, drafts] of [
    ["bea", 0],
    ["ann", 1],
  ] as const) {
    await page.evaluate((actor) => localStorage.setItem("svc.actor", actor), name);
    await page.reload();
    await isLive(page);
    expect(await page.getByRole("option", { name: /Typed before/ }).count()).toBe(drafts);
  }
});

describe("two pages that edit the same text", () => {
  const body = (uid: string) => `/projects/1/issues/${uid}`;

  inChromium(
    "the page that saves second shows the earlier text, the other person's and its own",
    async ({ web }) => {
      const uid = (await filled(web, "One")).get("One") ?? "";
      await web.call("PATCH", body(uid), { body: "Before", actor: "ann" });
      const [first, second] = [await opened(web), await opened(web)];
      for (const [page, text] of [
        [first, "Theirs"],
        [second, "Mine"],
      ] as const) {
        await page.keyboard.press("e");
        await field(page).fill(text);
      }
      await save(first);
      await field(first).waitFor({ state: "detached" });
      await save(second);
      const versions = second.locator(".version");
      await versions.nth(2).waitFor();
      await expect
        .poll(async () => await versions.locator("pre").allTextContents())
        .toEqual(["Before", "Theirs", "Mine"]);
      await second.getByRole("button", { name: "Overwrite with mine" }).click();
      await versions.first().waitFor({ state: "detached" });
      const read = async (): Promise<unknown> => (await web.call("GET", body(uid))).body;
      await expect.poll(read).toMatchObject({ issue: { body: "Mine" } });
    },
  );

  inChromium(
    "a page has a conflict too if another page saves between the read and the write of the first",
    async ({ web }) => {
      const uid = (await filled(web, "One")).get("One") ?? "";
      await web.call("PATCH", body(uid), { body: "Before", actor: "ann" });
      const page = await opened(web);
      await page.keyboard.press("e");
      await field(page).fill("Mine");
      const refused: string[] = [];
      page.on("response", async (answer) => {
        if (answer.status() === 409) refused.push(await answer.text());
      });
      // The other save comes after the page has compared the text, and before its change arrives.
      await page.route(`**/issues/*`, async (route) => {
        if (route.request().method() === "PATCH")
          await web.call("PATCH", body(uid), { body: "Theirs", actor: "bo" });
        await route.continue();
      });
      await save(page);
      await page.getByRole("button", { name: "Take theirs" }).waitFor();
      expect((await web.call("GET", body(uid))).body).toMatchObject({ issue: { body: "Theirs" } });
      expect(refused).toEqual([expect.stringContaining("body_conflict")]);
    },
  );
});

inChromium("the page of a read-only daemon says so, and refuses changes", async ({ web }) => {
  const uid = (await filled(web, "One")).get("One") ?? "";
  await web.daemon.end("SIGTERM");
  await web.startAgain({ args: ["--insecure-readonly"] });
  const page = await opened(web, `/svc?issue=${uid}`);
  await banner(page).getByText("You can read here and change nothing").waitFor();
  for (const key of ["x", "e", "n", "c", "!", "a"]) {
    await page.keyboard.press(key);
    await page.locator(".notice").waitFor();
    await page.keyboard.press("Escape");
  }
  const { body } = await web.call("GET", `/projects/1/issues/${uid}`);
  expect(body).toMatchObject({ issue: { status: "open", title: "One" }, comments: [] });
});

inChromium("an offline page keeps what was typed, even over a reload", async ({ web }) => {
  const { page, uid } = await writing(web, "Typed offline");
  await web.context.setOffline(true);
  await save(page);
  await page.locator(".modal [role=alert]").getByText("does not answer").waitFor();
  await page.close();
  await web.context.setOffline(false);
  const again = await opened(web);
  await again.getByRole("option", { name: /Typed offline/ }).click();
  expect(await field(again).inputValue()).toBe("Typed offline");
  await save(again);
  await field(again).waitFor({ state: "detached" });
  expect(await comments(web, uid)).toEqual(["Typed offline"]);
});
