import { expect, onTestFinished, test, vi } from "vitest";
import { parseDsn } from "../../src/config/dsn.ts";
import { startDaemon } from "../../src/daemon/index.ts";
import { PostgresConnection } from "../../src/store/postgres/connection.ts";
import { SqliteConnection } from "../../src/store/sqlite/connection.ts";
import { call, daemonSettings, openStream, tempFolder } from "../support/daemon.ts";
import { describeStore, type TestDatabase } from "../support/store.ts";

const BOOTSTRAP = "bootstrap-secret-0123456789";

/** A real daemon in the mode `identity` on a socket. On PostgreSQL, several can serve one database. */
async function served({ target: { dsn, schema } }: TestDatabase) {
  const folder = tempFolder();
  const { endpoint, stop } = await startDaemon({
    ...daemonSettings({ folder, authentication: { mode: "identity", token: BOOTSTRAP } }),
    dsn: parseDsn(dsn, folder, schema),
  });
  onTestFinished(stop);
  const headers = (token: string) => ({ authorization: `Bearer ${token}` });
  return {
    stop,
    send: async (token: string, method: string, path: string, body?: object) =>
      await call(endpoint, method, path, { headers: headers(token), ...(body && { body }) }),
    stream: async (token: string) => await openStream(endpoint, "/events/stream", headers(token)),
  };
}

type Served = Awaited<ReturnType<typeof served>>;

async function created({ send }: Served, actor: string): Promise<string> {
  return (await send(BOOTSTRAP, "POST", "/tokens", { actor })).body["plaintext"] as string;
}

describeStore("the tokens of a daemon", (open) => {
  test("are accepted until this daemon, or another on the same database, revokes them", async () => {
    const database = await open.database();
    const one = await served(database);
    const other = open.dialect === "postgres" ? await served(database) : one;
    const [ann, bea] = [await created(one, "ann"), await created(one, "bea")];
    expect((await other.send(ann, "POST", "/projects", { name: "web" })).status).toBe(200);
    expect((await one.send(ann, "GET", "/tokens")).body).toMatchObject({
      error: { code: "token_admin_forbidden" },
    });
    const [ends, stays] = [await one.stream(ann), await one.stream(bea)];
    await ends.take(1);
    await stays.take(1);
    const revoked = await other.send(BOOTSTRAP, "POST", "/tokens/1/actions/revoke");
    expect(revoked.body).toMatchObject({
      token: { id: 1, actor: "ann" },
      event: { type: "token.revoked", actor: "bootstrap" },
    });
    for (const daemon of [one, other])
      expect(await daemon.send(ann, "GET", "/projects")).toMatchObject({
        status: 403,
        body: { error: { code: "token_invalid" } },
      });
    await ends.end;
    expect((await one.send(bea, "POST", "/projects", { name: "shop" })).status).toBe(200);
    const frames = await stays.take(2);
    expect(frames.map(({ event }) => event)).toEqual(["project.created", "project.created"]);
  }, 60_000);

  test("cost each read one database statement on PostgreSQL and none on SQLite", async () => {
    const daemon = await served(await open.database());
    const ann = await created(daemon, "ann");
    await daemon.send(ann, "POST", "/projects", { name: "web" });
    const { body } = await daemon.send(ann, "POST", "/projects/1/issues", { title: "a" });
    const { short_id } = body["issue"] as { short_id: string };
    const { prototype } = open.dialect === "postgres" ? PostgresConnection : SqliteConnection;
    const execute = vi.spyOn(prototype, "execute");
    onTestFinished(() => execute.mockRestore());
    /** The fewest of several tries: meanwhile the daemon itself asks the database now and then. */
    const statements = async (token: string): Promise<number> => {
      const counts: number[] = [];
      for (let tries = 0; tries < 5; tries++) {
        execute.mockClear();
        const path = `/projects/1/issues/${short_id}`;
        expect((await daemon.send(token, "GET", path)).status).toBe(200);
        counts.push(execute.mock.calls.length);
      }
      return Math.min(...counts);
    };
    await statements(ann);
    // The configured token is in no table, so it costs no statement.
    const without = await statements(BOOTSTRAP);
    const withToken = await statements(ann);
    expect(withToken - without).toBe(open.dialect === "postgres" ? 1 : 0);
    expect(without).toBeGreaterThan(0);
  }, 60_000);

  test("keep the time of their last use when the daemon stops", async () => {
    const database = await open.database();
    const first = await served(database);
    const ann = await created(first, "ann");
    await first.send(ann, "GET", "/projects");
    await first.stop();
    const { body } = await (await served(database)).send(BOOTSTRAP, "GET", "/tokens");
    expect(body).toMatchObject({ tokens: [{ actor: "ann", last_used_at: expect.any(String) }] });
  }, 60_000);
});
