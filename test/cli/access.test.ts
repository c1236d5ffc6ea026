import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import { tokenCreated } from "../../src/domain/drafts/tokens.ts";
import { openStore } from "../../src/store/open.ts";
import { projectWorld } from "./harness.ts";

const STATIC = { authentication: { mode: "static", token: "own-secret" } } as const;
const WITH = { env: { SVC_AUTH_TOKEN: "own-secret" } };

test("svc says at the terminal that the daemon requires a token, and how to give it one", async () => {
  const w = await projectWorld();
  const issue = await w.issue("one");
  await w.restart(STATIC);
  const hint = "hint: set SVC_AUTH_TOKEN to it, or token in the [[daemon]] entry of config.toml";
  for (const words of [["list"], ["create", "two"], ["list", "--all"], ["events", "--tail"]])
    expect(await w.refused(words)).toEqual({
      err: `svc: this daemon asks for a token\n${hint}\n`,
      code: 1,
    });
  expect(await w.refused(["show", issue], { env: { SVC_AUTH_TOKEN: "another" } })).toEqual({
    err: "svc: this is not the daemon's token\nhint: compare SVC_AUTH_TOKEN with [auth] token in the daemon's config.toml\n",
    code: 1,
  });
  const { err } = await w.refused(["list", "--json"]);
  expect(JSON.parse(err)).toMatchObject({ error: { code: "auth_required", exit_code: 1 } });
  expect(await w.ok(["show", issue], WITH)).toContain("one");
  expect(await w.ok(["create", "two", "-q"], WITH)).toMatch(/^[0-9a-z]{4}\n$/);
  expect(await w.ok(["health"])).toContain("ok=true");
});

test("the bootstrap token of a team can read, and a refused write names the way to get a token", async () => {
  const w = await projectWorld();
  const issue = await w.issue("one");
  await w.restart({ authentication: { mode: "identity", token: "own-secret" } });
  expect(await w.ok(["show", issue], WITH)).toContain("one");
  const { err, code } = await w.refused(["create", "two"], WITH);
  expect(code).toBe(1);
  expect(err).toContain("svc: the bootstrap token only reads and administers tokens\n");
  expect(err).toContain("hint: write with a token of your own: svc tokens create --actor <you>");
});

/** Makes a token for ann as `svc tokens create` does, while no daemon has the database open. */
async function tokenOfAnn(w: Awaited<ReturnType<typeof projectWorld>>): Promise<string> {
  const plaintext = "svc_of-ann";
  await w.daemon.stop();
  const dsn = join(w.home, "svc.db");
  const store = await openStore({ dsn, clock: systemClock, ids: systemIds(), timezone: "UTC" });
  const token_hash = createHash("sha256").update(plaintext).digest("hex");
  const token = { uid: "01J0000000000000000000000T", actor: "ann", name: null, token_hash };
  await store.write(
    async (tx) => await tx.append(tokenCreated(token, { actor: "bootstrap", now: tx.now })),
  );
  await store.close();
  return plaintext;
}

test("with a person's token, commands act as that person, and @me is that person", async () => {
  const w = await projectWorld();
  const issue = await w.issue("one");
  const SVC_AUTH_TOKEN = await tokenOfAnn(w);
  await w.restart({ authentication: { mode: "identity", token: "own-secret" } });
  const bea = { env: { SVC_AUTH_TOKEN, USER: "bea" } };
  await w.ok(["claim", issue], bea);
  expect(await w.ok(["list", "--owner", "@me", "-q"], bea)).toBe(`${issue}\n`);
  expect(await w.ok(["show", issue], bea)).toContain("owner ann");
  await w.ok(["lease", "acquire", issue, "--ttl", "10m"], bea);
  await w.ok(["lease", "release", issue], bea);
});

test("a read-only daemon answers every command that only reads", async () => {
  const w = await projectWorld();
  const issue = await w.issue("one");
  await w.restart({ authentication: { mode: "readonly" } });
  expect(await w.ok(["list"])).toContain("one");
  expect(await w.ok(["list", "--project", "web"])).toContain("one");
  expect(await w.ok(["show", issue])).toContain("one");
  expect(await w.ok(["ready", "--all"])).toContain("one");
  const { err, code } = await w.refused(["close", issue, "--done", "-m", "it is done, I saw it"]);
  expect(code).toBe(1);
  expect(err).toContain("svc: this daemon is read-only (--insecure-readonly)\n");
  expect(await w.refused(["list", "--project", "nowhere"])).toMatchObject({
    code: 4,
    err: expect.stringContaining("svc projects list shows them"),
  });
});
