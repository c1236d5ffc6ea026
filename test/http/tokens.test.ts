import { expect, test } from "vitest";
import { sha256Hex } from "../../src/base/hash.ts";
import { listProjects } from "../../src/contract/projects.ts";
import { createToken, listTokens, revokeToken } from "../../src/contract/tokens.ts";
import { tokenLookup } from "../../src/ops/tokens/resolve.ts";
import { TokenUses } from "../../src/ops/tokens/uses.ts";
import { expectFolded } from "../store/fold.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

/** Returns every event of the log, including those of the system project. */
async function wholeLog({ store }: World) {
  const snapshot = await store.openSnapshot();
  const events = [];
  for await (const event of snapshot.rows("event")) events.push(event);
  await snapshot.close();
  return events;
}

function finder({ store, clock }: World) {
  const find = tokenLookup(store, new TokenUses(clock));
  return async (plaintext: string | undefined) => await find(sha256Hex(plaintext ?? ""));
}

describeStore("API tokens", (open) => {
  test("a new token is shown in plaintext once, and only its hash is stored", async () => {
    const w = await world({ store: open });
    const body = { actor: " ann ", name: " laptop " };
    const { token, plaintext = "" } = await w.call(createToken, { body });
    expect(plaintext).toMatch(/^svc_[\w-]{43}$/);
    const given = { id: 1, actor: "ann", name: "laptop", created_at: w.clock.now() };
    expect(token).toEqual({ ...given, last_used_at: null, revoked_at: null });
    expect(await w.call(listTokens)).toEqual({ tokens: [token] });
    expect(await finder(w)(plaintext)).toEqual({ id: 1, actor: "ann" });
    const log = await wholeLog(w);
    expect(log).toMatchObject([{ type: "token.created", actor: "ann" }]);
    expect(JSON.stringify(log)).not.toContain(plaintext.slice(4));
    expect(JSON.stringify(log)).toContain(sha256Hex(plaintext));
    expect((await w.call(listProjects)).projects).toEqual([]);
    await expectFolded(w.store);
  });

  test("tokens are listed by id, including revoked ones, without secrets and hashes", async () => {
    const w = await world({ store: open });
    const made = [];
    for (const actor of ["ann", "bea", "ann"])
      made.push(await w.call(createToken, { body: { actor } }));
    w.clock.advance(1000);
    await w.call(revokeToken, { params: { id: 2 } });
    const { tokens } = await w.call(listTokens);
    expect(tokens).toMatchObject([
      { id: 1, actor: "ann", name: null, revoked_at: null },
      { id: 2, actor: "bea", revoked_at: w.clock.now() },
      { id: 3, actor: "ann", revoked_at: null },
    ]);
    for (const { plaintext = "" } of made) {
      expect(JSON.stringify(tokens)).not.toContain(plaintext.slice(4));
      expect(JSON.stringify(tokens)).not.toContain(sha256Hex(plaintext));
    }
  });

  test("a revoked token is no longer found, and revoking it again changes nothing", async () => {
    const w = await world({ store: open });
    const { plaintext } = await w.call(createToken, { body: { actor: "ann" } });
    const find = finder(w);
    expect(await find(plaintext)).toBeDefined();
    w.clock.advance(1000);
    const both = await Promise.all([
      w.call(revokeToken, { params: { id: 1 } }),
      w.call(revokeToken, { params: { id: 1 } }),
    ]);
    const at = w.clock.now();
    for (const { token } of both) expect(token).toMatchObject({ id: 1, revoked_at: at });
    expect(both.filter(({ event }) => event !== null)).toMatchObject([
      { event: { type: "token.revoked", actor: "ann", project_id: 0 } },
    ]);
    expect(JSON.stringify(both)).not.toContain(sha256Hex(plaintext ?? ""));
    expect(await find(plaintext)).toBeUndefined();
    w.clock.advance(1000);
    const again = await w.call(revokeToken, { params: { id: 1 } });
    expect(again).toMatchObject({ event: null, token: { revoked_at: at } });
    expect(await wholeLog(w)).toHaveLength(2);
    await expectFolded(w.store);
  });

  test("revoking an unknown token id answers not found, and a malformed id is refused", async () => {
    const w = await world({ store: open });
    expect(await w.refused(revokeToken, { params: { id: 7 } })).toMatchObject({
      code: "token_not_found",
      data: { id: 7 },
    });
    for (const id of [0, -1, 1.5, "svc_x"])
      expect(await w.refused(revokeToken, { params: { id: id as number } })).toMatchObject({
        code: "validation",
      });
  });

  test.each([
    ["a blank actor", { actor: " \u200b" }, /actor: must not be blank/],
    ["the actor of the configured token", { actor: " bootstrap " }, /must not be bootstrap/],
    ["the actor of the daemon's own writes", { actor: "system" }, /must not be system/],
    ["an actor with control characters", { actor: "an\u001bn" }, /must not contain control/],
    ["an actor over two lines", { actor: "ann\nbea" }, /must not contain control/],
    ["an actor over the limit", { actor: "é".repeat(129) }, /at most 256 bytes/],
    ["a name over the limit", { actor: "ann", name: "x".repeat(257) }, /at most 256 bytes/],
    ["a name with control characters", { actor: "ann", name: "a\u0085" }, /control/],
    ["an unknown field", { actor: "ann", plaintext: "svc_mine" }, /plaintext/],
  ])("a request with %s is refused, and creates no token", async (_what, body, says) => {
    const w = await world({ store: open });
    const { code, message } = await w.refused(createToken, { body: body as { actor: string } });
    expect(code).toBe("validation");
    expect(message).toMatch(says);
    expect(await wholeLog(w)).toEqual([]);
  });

  test("a repeat with the same key finds the token and returns no plaintext", async () => {
    const w = await world({ store: open });
    const headers = { "idempotency-key": "k" };
    const body = { actor: "ann", name: "ci" };
    const { token, plaintext } = await w.call(createToken, { headers, body });
    expect(plaintext).toBeDefined();
    expect(await w.call(createToken, { headers, body })).toEqual({
      token,
      reused: true,
      accepted: false,
    });
    const other = { actor: "bea", name: "ci" };
    expect(await w.refused(createToken, { headers, body: other })).toMatchObject({
      code: "idempotency_mismatch",
    });
    expect((await w.call(listTokens)).tokens).toHaveLength(1);
    w.clock.advance(7 * 86_400_000);
    const later = await w.call(createToken, { headers, body });
    expect(later).toMatchObject({ token: { id: 2 }, plaintext: expect.any(String) });
    await expectFolded(w.store);
  });

  test("an empty name is refused", async () => {
    const w = await world({ store: open });
    const { token } = await w.call(createToken, { body: { actor: "ann", name: "  " } });
    expect(token.name).toBeNull();
  });
});
