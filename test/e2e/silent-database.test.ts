import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { stopwatch } from "../../src/base/clock.ts";
import { daemonProcess } from "../support/daemon-process.ts";
import { openNetwork } from "../support/network.ts";
import { postgresDsn } from "../support/postgres.ts";

/** The term of a statement (10 s), the end of its transaction on the server (10 s), and the work on a busy machine. */
const REPLACED_MS = 40_000;
/** A stopping daemon waits 10 s for requests and 5 s for its database; the rest is for a busy machine. */
const STOPPED_MS = 20_000;

async function daemonBehindNetwork() {
  const network = await openNetwork(await postgresDsn());
  const folder = mkdtempSync(join(tmpdir(), "svc-silent-"));
  const env = { SVC_DSN: network.dsn };
  const daemon = await daemonProcess({ folder, env, args: ["--listen", "127.0.0.1:0"] });
  onTestFinished(async () => {
    await daemon.end("SIGKILL");
    await network.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const base = `http://${daemon.endpoint.address}/api/v1`;
  const ask = async (path: string, body?: object) => {
    const answer = await fetch(`${base}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const write = async (name: string) => await ask("/projects", { name, actor: "ann" });
  return { daemon, network, ask, write };
}

describe("a daemon whose PostgreSQL server falls silent", () => {
  test("refuses writes with the true reason, reports it in its health, and accepts writes again by itself", async () => {
    const { network, ask, write } = await daemonBehindNetwork();
    expect((await write("web")).status).toBe(200);
    const silenced = network.after("toServer", "begin\0", (passage) => passage.silence());
    const waiting = [write("lost"), write("too")];
    await silenced;
    for (const { status, body } of await Promise.all(waiting)) {
      expect(status).toBe(503);
      expect(body).toMatchObject({ error: { code: "busy", data: { reason: "database" } } });
    }
    expect((await ask("/health")).body).toMatchObject({
      ok: false,
      fault: "the database answers no writes",
    });
    expect((await ask("/projects")).status).toBe(200);
    await expect.poll(async () => (await write("api")).status, { timeout: REPLACED_MS }).toBe(200);
    expect((await ask("/health")).body["ok"]).toBe(true);
    const { body } = await ask("/projects");
    const names = (body["projects"] as readonly { name: string }[]).map(({ name }) => name);
    expect(names.toSorted()).toEqual(["api", "web"]);
  });

  test("stops in time, although a read and a write still wait for the server", async () => {
    const { daemon, network, ask, write } = await daemonBehindNetwork();
    expect((await write("web")).status).toBe(200);
    network.drop();
    const read = ask("/projects").catch(() => undefined);
    expect((await write("lost")).status).toBe(503);
    const elapsed = stopwatch();
    expect([0, "SIGKILL"]).toContain(await daemon.end("SIGTERM"));
    expect(elapsed()).toBeLessThan(STOPPED_MS);
    await read;
  });
});
