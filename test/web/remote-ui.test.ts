import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { type Box, box } from "../e2e/box.ts";
import { type Web, webTest } from "./support/web.ts";

const TOKEN = "svc_the-secret-of-the-team";
const BEARER = { authorization: `Bearer ${TOKEN}` };

/** Another machine's home, which knows the daemon of the test by the name `team`. */
function elsewhere({ api }: Web, token: string): Box {
  const place = box({ TEAM_TOKEN: token });
  mkdirSync(place.home, { mode: 0o700 });
  const entry = `[[daemon]]\nname = "team"\nurl = "${api}"\ntoken_env = "TEAM_TOKEN"\n`;
  writeFileSync(join(place.home, "config.toml"), entry, { mode: 0o600 });
  return place;
}

async function addressOf(place: Box, ...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await place.svc("ui", "--daemon", "team", "--print", ...words);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout.trimEnd();
}

async function issueBy({ call }: Web, headers: Readonly<Record<string, string>>) {
  const made = await call("POST", "/projects", { name: "team", actor: "ann" }, headers);
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
  const issue = { title: "Ask the team", actor: "ann" };
  const { body } = await call("POST", "/projects/1/issues", issue, headers);
  return (body as { readonly issue: { readonly uid: string } }).issue;
}

describe("a daemon with a token", () => {
  const inChromium = webTest({ env: { SVC_AUTH_TOKEN: TOKEN } });

  inChromium(
    "is opened at an issue by svc ui --daemon, and asks for the token",
    async ({ web }) => {
      const { uid } = await issueBy(web, BEARER);
      const address = await addressOf(elsewhere(web, TOKEN), uid);
      expect(address).toBe(`${web.origin}/svc?issue=${uid}#direct=1`);
      expect(address).not.toContain(TOKEN);
      await web.context.addInitScript(() => {
        if (location.protocol === "http:") localStorage.setItem("svc.actor", "ann");
      });
      const page = await web.open(address);
      await page.getByText("or run svc ui").waitFor();
      await page.getByLabel("Token").fill(TOKEN);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "Ask the team" }).waitFor();
    },
  );
});

describe("a daemon with a token for each person", () => {
  const inChromium = webTest({
    toml: "[auth]\nrequire_token_identity = true\n",
    env: { SVC_AUTH_TOKEN: TOKEN },
  });

  inChromium("asks for the person's own token, and writes as that person", async ({ web }) => {
    const made = await web.call("POST", "/tokens", { actor: "bea" }, BEARER);
    const { plaintext } = made.body as { readonly plaintext: string };
    const bea = { authorization: `Bearer ${plaintext}` };
    const { uid } = await issueBy(web, bea);
    const address = await addressOf(elsewhere(web, plaintext), uid);
    expect(address).not.toContain(plaintext);
    const page = await web.open(address);
    const field = page.getByLabel("Token");
    await field.fill("svc_wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").filter({ hasText: /\S/ }).waitFor();
    await field.fill(plaintext);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Ask the team" }).waitFor();
    await page.keyboard.press("c");
    await page.getByRole("dialog").getByLabel("Comment").fill("Here I am.");
    await page.keyboard.press("Control+s");
    await page.getByText("Here I am.").first().waitFor();
    const { body } = await web.call("GET", `/projects/1/issues/${uid}`, undefined, bea);
    expect(body).toMatchObject({ comments: [{ author: "bea", body: "Here I am." }] });
    expect(page.url()).not.toContain(plaintext);
  });

  inChromium("is opened by svc ui without an issue if the person has no token", async ({ web }) => {
    const place = elsewhere(web, "");
    expect(await addressOf(place)).toBe(`${web.api}/svc`);
    const issue = await place.svc("ui", "--daemon", "team", "team#abc4", "--print");
    expect([issue.code === 0, issue.stdout]).toEqual([false, ""]);
    expect(issue.stderr).toContain("token");
  });
});
