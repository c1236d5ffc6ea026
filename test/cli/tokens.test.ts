import { expect, test } from "vitest";
import { cliWorld } from "./harness.ts";

const ADMINISTERED = { bootstrap: "svc_bootstrap" };
const CREATE = ["tokens", "create", "--actor", "ann"];

test("a token is printed once, for people, agents, programs and scripts", async () => {
  const w = await cliWorld(ADMINISTERED);
  const human = await w.ok([...CREATE, "--name", "old laptop"]);
  expect(human).toMatch(/^created token id=1 actor=ann name=old laptop\ntoken=svc_[\w-]{43}\n$/);
  const agent = await w.ok([...CREATE, "--name", "old laptop", "--agent"]);
  expect(agent).toMatch(
    /^OK token_created id=2 actor=ann name="old laptop"\nToken: svc_[\w-]{43}\n$/,
  );
  const json = JSON.parse(await w.ok([...CREATE, "--json"]));
  expect(json).toMatchObject({
    token: { id: 3, name: null },
    plaintext: expect.stringMatching(/^svc_/),
  });
  const quiet = await w.ok([...CREATE, "-q"]);
  expect(quiet).toMatch(/^svc_[\w-]{43}\n$/);
  for (const form of ["--json", "--agent", "-q", "--format=human"])
    expect(await w.ok(["tokens", "list", form])).not.toMatch(/svc_[\w-]{20}|[0-9a-f]{64}/);
});

test("repeating svc tokens create with the same idempotency key says that the token cannot be shown again", async () => {
  const w = await cliWorld(ADMINISTERED);
  const words = [...CREATE, "--idempotency-key", "k"];
  expect(await w.ok(words)).toMatch(/token=svc_/);
  expect(await w.ok(words)).toBe(
    "token id=1 actor=ann: an earlier request with this key created it; its plaintext was shown then and is stored nowhere\n",
  );
  expect(await w.ok([...words, "--agent"])).toBe("OK token_created id=1 actor=ann reused=true\n");
});

test("svc tokens list shows for each token its actor, name, creation, last use and revocation", async () => {
  const w = await cliWorld(ADMINISTERED);
  expect(await w.ok(["tokens", "list"])).toBe(
    "No tokens. svc tokens create --actor <actor> makes one.\n",
  );
  await w.ok([...CREATE, "--name", "laptop"]);
  await w.ok(["tokens", "create", "--actor", "bea", "-q"]);
  expect(await w.ok(["tokens", "revoke", "2"])).toBe("revoked token 2 of bea\n");
  expect(await w.ok(["tokens", "list"])).toBe(
    [
      "ID  ACTOR  NAME    CREATED            LAST USED  REVOKED",
      " 1  ann    laptop  2026-01-01 00:00Z  -          -",
      " 2  bea    -       2026-01-01 00:00Z  -          2026-01-01 00:00Z",
      "",
    ].join("\n"),
  );
  expect(await w.ok(["tokens", "list", "--agent"])).toBe(
    [
      "OK tokens count=2",
      "- id=1 actor=ann name=laptop created=2026-01-01T00:00:00.000Z",
      "- id=2 actor=bea created=2026-01-01T00:00:00.000Z revoked=2026-01-01T00:00:00.000Z",
      "",
    ].join("\n"),
  );
  expect(await w.ok(["tokens", "list", "-q"])).toBe("1\n2\n");
});

test("revoking a token again changes nothing, and an unknown token is refused", async () => {
  const w = await cliWorld(ADMINISTERED);
  await w.ok(CREATE);
  await w.ok(["tokens", "revoke", "1", "-q"]);
  expect(await w.ok(["tokens", "revoke", "1"])).toBe(
    "token 1 of ann was revoked before, at 2026-01-01T00:00:00.000Z\n",
  );
  expect(await w.ok(["tokens", "revoke", "1", "--agent"])).toMatch(/ changed=false\n$/);
  expect(await w.refused(["tokens", "revoke", "7"])).toEqual({
    code: 4,
    err: "svc: no such token\nhint: svc tokens list\n",
  });
  const { err, code } = await w.refused(["tokens", "revoke", "svc_secret"]);
  expect(code).toBe(3);
  expect(err).not.toContain("svc_secret");
});

test("svc tokens list cuts a long list to its budget", async () => {
  const w = await cliWorld(ADMINISTERED);
  for (let made = 0; made < 100; made += 1)
    await w.ok([...CREATE, "--name", "laptop ".repeat(12), "-q"]);
  const cut = await w.run(["tokens", "list"]);
  expect(Buffer.byteLength(cut.out)).toBeLessThan(8192);
  expect(cut.err).toMatch(/--max-bytes 0 shows all/);
  expect((await w.ok(["tokens", "list", "--max-bytes", "0"])).split("\n")).toHaveLength(102);
  expect(
    JSON.parse(await w.cut(["tokens", "list", "--json", "--max-bytes", "2000"])),
  ).toMatchObject({
    truncated: true,
  });
});

test("a token for a daemon that requires none is printed with a note for people, and without it for programs", async () => {
  const w = await cliWorld();
  const note = expect.stringContaining("require_token_identity = true in its config.toml");
  expect(await w.run(CREATE)).toMatchObject({ code: 0, err: note });
  expect(await w.run([...CREATE, "-q"])).toMatchObject({ code: 0, err: note });
  expect(JSON.parse(await w.ok([...CREATE, "--json"]))).toMatchObject({ accepted: false });
});
