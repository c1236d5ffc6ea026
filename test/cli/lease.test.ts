import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { API_SCHEMA_VERSION } from "../../src/contract/version.ts";
import { projectWorld } from "./harness.ts";

/** A proxy for the daemon. When the daemon has answered, `then` runs before the answer is passed on. */
async function relay(socketPath: string, then: (path: string) => Promise<void>): Promise<string> {
  const pass = async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const { method = "GET", url: path = "/", headers } = asked;
    const body = await buffer(asked);
    const answered = await new Promise<IncomingMessage>((resolve, reject) =>
      request({ socketPath, method, path, headers }, resolve).on("error", reject).end(body),
    );
    const text = await buffer(answered);
    await then(path);
    answer.writeHead(answered.statusCode ?? 500, answered.headers).end(text);
  };
  const server = createServer((asked, answer) => void pass(asked, answer));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

describe("leases on the command line", () => {
  test("a lease is acquired, shown, renewed and released", async () => {
    const w = await projectWorld();
    const id = await w.issue("Fix the parser");
    expect(await w.ok(["lease", "acquire", id, "--ttl", "5m"])).toBe(
      `${id} lease acquired until 2026-01-01T00:05:00.000Z, fence 1\n`,
    );
    expect(await w.ok(["show", id])).toMatch(
      /\nlease: ann from instance [0-9A-Z]{26} \(timed, 5m left\), fence 1\n/,
    );
    expect(await w.ok(["show", id, "--agent"])).toMatch(/\nLease: ann from instance .*fence 1\n/);
    expect(await w.ok(["lease", "status", id])).toMatch(/lease: ann from instance .*5m left/);
    w.clock.advance(60_000);
    expect(await w.ok(["lease", "renew", id, "--ttl", "1h", "--agent"])).toBe(
      `OK lease renewed issue=${id} granted=true holder=ann kind=timed fence=1 expires_at=2026-01-01T01:01:00.000Z\n`,
    );
    expect(await w.ok(["lease", "release", id])).toBe(`${id} lease released\n`);
    expect(await w.ok(["lease", "status", id])).toBe(`${id} is free (the last was fence 1)\n`);
    expect(await w.ok(["show", id])).not.toContain("lease:");
  });

  test("an actor who is denied a lease is told who has it, and gets exit code 5", async () => {
    const w = await projectWorld();
    const id = await w.issue("Fix the parser");
    expect(await w.ok(["lease", "acquire", id, "-q"])).toBe(`${id}\n`);
    const denied = await w.refused(["lease", "acquire", id, "--as", "bea"]);
    expect(denied).toMatchObject({ code: 5, err: expect.stringContaining("ann holds the lease") });
    const json = await w.refused(["lease", "acquire", id, "--as", "bea", "--json"]);
    expect(JSON.parse(json.err)).toMatchObject({ error: { code: "claim_denied" } });
    const edit = await w.refused(["edit", id, "--title", "Other", "--as", "bea"]);
    expect(edit).toMatchObject({ code: 5, err: expect.stringContaining("holds the lease") });
  });

  test.each(["59s", "25h", "1", "1d", "0.5h", ""])(
    "a lease that lasts %j is refused",
    async (ttl) => {
      const w = await projectWorld();
      const id = await w.issue("Fix the parser");
      for (const words of [
        ["lease", "acquire", id, "--ttl", ttl],
        ["next", "--lease", ttl],
      ])
        expect(await w.refused(words)).toMatchObject({ code: 3 });
    },
  );

  test("taking a lease from its holder requires the name of the caller with --as", async () => {
    const w = await projectWorld();
    const id = await w.issue("Fix the parser");
    await w.ok(["lease", "acquire", id, "--as", "worker"]);
    for (const verb of ["force-release", "steal"])
      expect(await w.refused(["lease", verb, id])).toMatchObject({ code: 2 });
    expect(await w.ok(["lease", "steal", id, "--as", "bea", "--ttl", "60s"])).toBe(
      `${id} lease acquired until 2026-01-01T00:01:00.000Z, fence 2\n`,
    );
    expect(await w.ok(["lease", "steal", id, "--as", "bea", "--ttl", "60s", "-q"])).toBe(`${id}\n`);
    expect(await w.ok(["lease", "force-release", id, "--as", "ann", "--reason", "gone"])).toBe(
      `${id} lease released\n`,
    );
    expect(await w.refused(["lease", "release", id, "--as", "bea"])).toMatchObject({ code: 5 });
  });

  test("stealing a lease fails if another actor takes it first, and names that actor", async () => {
    const w = await projectWorld();
    const id = await w.issue("Fix the parser");
    await w.ok(["lease", "acquire", id, "--as", "worker"]);
    const { address } = w.daemon.endpoint;
    const SVC_SERVER = await relay(address, async (path) => {
      if (path.endsWith("/force_release")) await w.ok(["lease", "acquire", id, "--as", "cyd"]);
    });
    const words = ["lease", "steal", id, "--as", "bea"];
    expect(await w.refused(words, { env: { SVC_SERVER } })).toMatchObject({
      code: 5,
      err: expect.stringContaining("taken from its holder, but cyd was faster"),
    });
    await w.ok(["lease", "force-release", id, "--as", "ann"]);
    await w.ok(["lease", "acquire", id, "--as", "worker"]);
    const json = await w.refused([...words, "--json"], { env: { SVC_SERVER } });
    expect(JSON.parse(json.err)).toMatchObject({
      error: { code: "claim_steal_partial", data: { holder: { holder: "cyd" } } },
    });
    await w.ok(words);
    expect(await w.ok(["lease", "status", id])).toContain("lease: bea from instance");
  });

  test("a change under the fence of an ended lease is refused", async () => {
    const w = await projectWorld();
    const id = await w.issue("Fix the parser");
    await w.ok(["lease", "acquire", id, "--ttl", "60s"]);
    await w.ok(["edit", id, "--title", "In time", "--fence", "1"]);
    w.clock.advance(60_000);
    await w.ok(["lease", "acquire", id, "--ttl", "60s"]);
    const late = await w.refused(["label", "add", id, "x", "--fence", "1"]);
    expect(late).toMatchObject({ code: 5, err: expect.stringContaining("leased again") });
    await w.ok(["label", "add", id, "x", "--fence", "2"]);
    expect(await w.refused(["edit", id, "--title", "x", "--fence", "0"])).toMatchObject({
      code: 2,
    });
  });

  test("the best ready issue is claimed or leased in one call", async () => {
    const w = await projectWorld();
    const [low, high] = [await w.issue("Low"), await w.issue("High", "--priority", "1")];
    expect(await w.ok(["next", "--claim"])).toBe(`${high} High (claimed by ann)\n`);
    expect(await w.ok(["ready", "--lease", "2m", "--as", "bea", "--agent"])).toBe(
      `OK take issue=${low} fence=1 expires_at=2026-01-01T00:02:00.000Z title=Low\n`,
    );
    expect(await w.nothingLeft(["ready", "--claim"])).toBe("Nothing is left to take.\n");
    expect(await w.nothingLeft(["next", "--claim", "--all", "--agent"])).toBe(
      "OK take found=false\n",
    );
    expect(JSON.parse(await w.ok(["next", "--lease", "2m", "--json"]))).toMatchObject({
      issue: { title: "High", owner: "ann" },
      lease: { holder: "ann", fence: 1 },
    });
    expect(JSON.parse(await w.nothingLeft(["next", "--claim", "--json"]))).toMatchObject({
      issue: null,
    });
    expect(await w.refused(["next", "--claim", "--lease", "2m"])).toMatchObject({ code: 2 });
  });

  test("repeating svc next --claim with its idempotency key gets the same claim, and is refused once the claim has ended", async () => {
    const w = await projectWorld();
    const id = await w.issue("Low");
    const words = ["next", "--claim", "--idempotency-key", "k"];
    expect(await w.ok(words)).toBe(`${id} Low (claimed by ann)\n`);
    expect(await w.ok(words)).toBe(`${id} Low (still claimed by ann)\n`);
    expect(await w.ok([...words, "--agent"])).toBe(
      `OK take issue=${id} owner=ann title=Low reused=true\n`,
    );
    const other = await w.refused([...words, "--as", "bea"]);
    expect(other).toMatchObject({ code: 5, err: expect.stringContaining("another request") });
    expect(await w.refused([...words, "--all"])).toMatchObject({ code: 5 });
    await w.ok(["unassign", id]);
    const over = await w.refused([...words, "--agent"]);
    expect(over).toMatchObject({ code: 5, err: expect.stringContaining(`(web#${id})`) });
    expect(over.err).toContain("Hint: take with a new key");
    const leased = ["ready", "--lease", "2m", "--idempotency-key", "l"];
    const until = "until 2026-01-01T00:02:00.000Z, fence 1";
    expect(await w.ok(leased)).toBe(`${id} Low (leased to ann ${until})\n`);
    expect(await w.ok(leased)).toBe(`${id} Low (still leased to ann ${until})\n`);
    for (const key of ["", " ", "k".repeat(256)])
      expect(await w.refused(["next", "--claim", "--idempotency-key", key])).toMatchObject({
        code: 3,
        err: expect.stringContaining("1 to 255 characters"),
      });
  });

  test("an idempotency key is not sent to a daemon that is too old to know it", async () => {
    const w = await projectWorld();
    await w.issue("Low");
    const socketPath = w.daemon.endpoint.address;
    const pass = async (path: string, answer: ServerResponse): Promise<void> => {
      const found = await new Promise<IncomingMessage>((resolve) =>
        request({ socketPath, path }, resolve).end(),
      );
      const text = (await buffer(found))
        .toString()
        .replaceAll(`"${API_SCHEMA_VERSION}"`, '"0.13.0"');
      answer.writeHead(200, { "content-type": "application/json" }).end(text);
    };
    const older = createServer((asked, answer) => void pass(asked.url ?? "/", answer));
    onTestFinished(() => void older.close());
    await new Promise<void>((resolve) => older.listen(0, "127.0.0.1", resolve));
    const address = older.address();
    const port = typeof address === "object" ? address?.port : "";
    const env = { SVC_SERVER: `http://127.0.0.1:${port}` };
    const words = ["next", "--claim", "--idempotency-key", "k"];
    const refused = await w.refused(words, { env });
    expect(refused).toMatchObject({ code: 7, err: expect.stringContaining("needs 0.14.0") });
    expect(refused.err).toContain("leave --idempotency-key out");
  });
});
