import { createHash } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { parseDsn } from "../../src/config/dsn.ts";
import { startDaemon } from "../../src/daemon/index.ts";
import { tokenCreated } from "../../src/domain/drafts/tokens.ts";
import { call, daemonSettings, tempFolder } from "../support/daemon.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";

const BOOTSTRAP = "bootstrap-secret-0123456789";
const ANNS_TOKEN = "svc_of-ann";

/** A real daemon in the mode `identity`; its database has a token of ann. */
async function served(open: OpenTestStore) {
  const database = await open.database();
  const store = await database.open();
  const token_hash = createHash("sha256").update(ANNS_TOKEN).digest("hex");
  const token = { uid: "01J0000000000000000000000T", actor: "ann", name: null, token_hash };
  await store.write(
    async (tx) => await tx.append(tokenCreated(token, { actor: "bootstrap", now: tx.now })),
  );
  await store.close();
  const folder = tempFolder();
  const { dsn, schema } = database.target;
  const { endpoint, stop } = await startDaemon({
    ...daemonSettings({ folder, authentication: { mode: "identity", token: BOOTSTRAP } }),
    dsn: parseDsn(dsn, folder, schema),
  });
  onTestFinished(stop);
  return async (token: string | undefined, method: string, path: string, body?: object) =>
    await call(endpoint, method, path, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body }),
    });
}

describeStore("a daemon that requires a person's token", (open) => {
  test("writes in the name of the token's person on every thread, and lets the bootstrap token only read", async () => {
    const send = await served(open);
    expect((await send(undefined, "GET", "/health")).status).toBe(200);
    expect((await send(undefined, "GET", "/projects")).status).toBe(401);
    expect((await send("svc_other", "GET", "/projects")).body).toMatchObject({
      error: { code: "token_invalid" },
    });
    const project = { name: "web", actor: "mallory" };
    expect((await send(BOOTSTRAP, "POST", "/projects", project)).body).toMatchObject({
      error: { code: "bootstrap_token_write_forbidden" },
    });
    const made = await send(ANNS_TOKEN, "POST", "/projects", project);
    const path = `/projects/${(made.body["project"] as { id: number }).id}`;
    const small = { title: "small", actor: "mallory" };
    expect((await send(ANNS_TOKEN, "POST", `${path}/issues`, small)).status).toBe(200);
    // Large enough to be sent to the write worker, which parses it itself.
    const items = Array.from({ length: 60 }, (_, at) => ({
      external_id: `x-${at}`,
      title: `issue ${at}`,
      author: "old hand",
      status: "open",
      created_at: "2026-01-01T00:00:00.000Z",
      updated_at: "2026-01-01T00:00:00.000Z",
      body: "long ".repeat(300),
    }));
    const imported = { source: "beads", actor: "mallory", items };
    const { body: done } = await send(ANNS_TOKEN, "POST", `${path}/imports`, imported);
    expect(done).toMatchObject({ created: 60 });
    const { body } = await send(BOOTSTRAP, "GET", "/events?limit=1000");
    const events = body["events"] as readonly { readonly actor: string }[];
    expect(events).toHaveLength(62);
    expect([...new Set(events.map(({ actor }) => actor))]).toEqual(["ann"]);
    expect((await send(ANNS_TOKEN, "GET", "/instance")).body).toMatchObject({
      auth: { actor: "ann", close_requires_evidence: true },
    });
  }, 60_000);
});
