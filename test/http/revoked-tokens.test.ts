import { expect, onTestFinished, test, vi } from "vitest";
import { sha256Hex } from "../../src/base/hash.ts";
import { silentLog } from "../../src/base/log.ts";
import { reopenIssue } from "../../src/contract/actions.ts";
import { streamEvents } from "../../src/contract/activity.ts";
import { createComment } from "../../src/contract/comments.ts";
import { observeCronRun } from "../../src/contract/cron-runs.ts";
import { createIssue } from "../../src/contract/issues.ts";
import { acquireIssueLease } from "../../src/contract/leases.ts";
import { purgeIssue } from "../../src/contract/removal.ts";
import { createToken, listTokens, revokeToken } from "../../src/contract/tokens.ts";
import { StreamClient } from "../../src/daemon/stream/client.ts";
import { PiecesSink } from "../../src/daemon/stream/sinks.ts";
import { StreamTokens } from "../../src/daemon/stream/tokens.ts";
import { tokenUseEngine } from "../../src/engines/token-uses.ts";
import type { Principal } from "../../src/ops/deps.ts";
import { tokenLookup } from "../../src/ops/tokens/resolve.ts";
import { revokeToken as revoke } from "../../src/ops/tokens/revoke.ts";
import { TokenUses } from "../../src/ops/tokens/uses.ts";
import { PostgresConnection } from "../../src/store/postgres/connection.ts";
import { watched } from "../support/clock.ts";
import { startEngines } from "../support/engines.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

const BOOTSTRAP: Principal = { kind: "bootstrap", local: false };
const RUN = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const ANN: Principal = { kind: "db_token", actor: "ann", tokenId: 1, local: false };

/** Tokens are administered with the configured token; all other requests are made with ann's token. */
function authenticate(_event: unknown, right: string): Principal {
  return right === "tokens" ? BOOTSTRAP : ANN;
}

async function opened(w: World) {
  const response = await w.send(streamEvents, {
    headers: { accept: "text/event-stream" } as never,
  });
  expect(response.status).toBe(200);
  const reader = response.body?.getReader();
  await reader?.read();
  return { ended: async () => await drained(reader) };
}

async function drained(reader: ReadableStreamDefaultReader<Uint8Array> | undefined) {
  try {
    while ((await reader?.read())?.done === false);
  } catch {
    return "ended";
  }
  return "ended";
}

describeStore("a revoked token", (open) => {
  test("ends the streams that were opened with it, and no others", async () => {
    const w = await world({ store: open, authenticate });
    await w.call(createToken, { body: { actor: "ann" } });
    await w.call(createToken, { body: { actor: "ann" } });
    const stream = await opened(w);
    let isOver = false;
    const ended = stream.ended().finally(() => {
      isOver = true;
    });
    await w.call(revokeToken, { params: { id: 2 } });
    await w.given.project();
    expect(isOver).toBe(false);
    await w.call(revokeToken, { params: { id: 1 } });
    expect(await ended).toBe("ended");
  });

  test("ends its streams if another daemon on the same database revoked it", async () => {
    if (open.dialect === "sqlite") return;
    const database = await open.database();
    const w = await world({ store: async (options) => await database.open(options), authenticate });
    await w.call(createToken, { body: { actor: "ann" } });
    const { ended } = await opened(w);
    const store = await database.open({ clock: w.clock });
    const nothing = { query: {}, headers: {}, body: {} };
    await revoke({ store }, BOOTSTRAP, { ...nothing, params: { id: 1 } });
    expect(await ended()).toBe("ended");
  });

  test("is looked up on PostgreSQL by statements that find all revoked tokens", async () => {
    if (open.dialect === "sqlite") return;
    const database = await open.database();
    const w = await world({ store: async (options) => await database.open(options), authenticate });
    const ids = [1, 2, 3, 4, 5];
    for (const id of ids) {
      await w.call(createToken, { body: { actor: "ann" } });
      await w.call(revokeToken, { params: { id } });
    }
    const store = await database.open();
    const tokens = new StreamTokens({ store, log: silentLog });
    onTestFinished(() => tokens.close());
    // Opens the connection that the checks use.
    await store.readOne(async (reader) => await reader.tokens.find(1));
    const execute = vi.spyOn(PostgresConnection.prototype, "execute");
    onTestFinished(() => execute.mockRestore());
    const areGone = ids.map(
      async (tokenId) =>
        await new Promise<void>((gone) => {
          const sink = new PiecesSink(new AbortController().signal);
          tokens.watch(new StreamClient(sink, { cursor: 0 }, {}, gone, tokenId));
        }),
    );
    await Promise.all(areGone);
    // The first stream is checked at once. The others came during that check, so one more check covers them all.
    expect(execute.mock.calls.map(([sql]) => sql)).toEqual(
      Array.from({ length: 2 }, () => expect.stringContaining('"revoked_at" is not null')),
    );
  });

  test("ends a stream that was admitted before the revocation and opens after it", async () => {
    const w = await world({ store: open, authenticate });
    await w.call(createToken, { body: { actor: "ann" } });
    await w.call(revokeToken, { params: { id: 1 } });
    expect(await (await opened(w)).ended()).toBe("ended");
  });

  test("writes nothing, even if the request was admitted before the revocation", async () => {
    const w = await world({ store: open, authenticate });
    await w.call(createToken, { body: { actor: "ann" } });
    const { path: params, ...issue } = await w.given.issue();
    const project = { params: { project_id: issue.project_id } };
    await w.call(revokeToken, { params: { id: 1 } });
    const before = await w.events();
    for (const refused of [
      await w.refused(createIssue, { ...project, body: { title: "one more" } }),
      await w.refused(createComment, { params, body: { body: "a comment" } }),
      // The issue is open, so this request would change nothing.
      await w.refused(reopenIssue, { params }),
      // A purge writes no event of an issue.
      await w.refused(purgeIssue, {
        params,
        body: {},
        headers: { "x-svc-confirm": `PURGE ${issue.short_id}` },
      }),
      await w.refused(acquireIssueLease, { params, body: {} }),
    ])
      expect(refused).toMatchObject({ code: "token_invalid" });
    expect(await w.events()).toEqual(before);
  });

  test("records no run, even if the request was admitted before the revocation", async () => {
    const w = await world({ store: open, authenticate });
    await w.call(createToken, { body: { actor: "ann" } });
    const project = await w.given.project();
    const params = { project_id: project.id, run_uid: RUN };
    const run = { job_uid: RUN, definition_event_uid: RUN, expected_revision: 0 };
    const body = { ...run, status: "running", summary: { version: 1 } } as const;
    await w.call(revokeToken, { params: { id: 1 } });
    expect(await w.refused(observeCronRun, { params, body })).toMatchObject({
      code: "token_invalid",
    });
    expect((await w.events()).map(({ type }) => type)).toEqual(["project.created"]);
  });
});

describeStore("the last use of a token", (open) => {
  test("is stored at most once a minute, whatever the number of requests", async () => {
    const w = await world({ store: open, authenticate });
    const { plaintext = "" } = await w.call(createToken, { body: { actor: "ann" } });
    const uses = new TokenUses(w.clock);
    const find = tokenLookup(w.store, uses);
    const { clock, next } = watched(w.clock);
    startEngines({ store: w.store, clock }, tokenUseEngine(uses));
    const used = async () => (await w.call(listTokens)).tokens[0]?.last_used_at;
    expect(await next()).toBe(60_000);
    for (let asked = 0; asked < 5; asked += 1) await find(sha256Hex(plaintext));
    expect(await used()).toBeNull();
    const at = w.clock.now();
    w.clock.advance(60_000);
    expect(await next()).toBe(60_000);
    expect(await used()).toBe(at);
    w.clock.advance(60_000);
    expect(await next()).toBe(60_000);
    expect(await used()).toBe(at);
  });
});
