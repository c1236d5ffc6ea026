import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { examineDatabase } from "../../src/archive/doctor.ts";
import { call, tempFolder } from "../support/daemon.ts";
import { type DaemonProcess, daemonProcess } from "../support/daemon-process.ts";
import { KILL_ROUNDS } from "../support/kill-count.ts";
import { freshPostgres } from "../support/postgres.ts";
import { claimsOf, lastTurn, takeRound, Worker } from "../support/take-rounds.ts";
import { box } from "./box.ts";

const WORKERS = 32;
const ISSUES = 3000;
const JUNE = "2025-06-01T10:00:00Z";

type Env = Readonly<Record<string, string>>;

async function filled(daemon: DaemonProcess): Promise<string> {
  const post = async (path: string, body: object) => {
    const answer = await call(daemon.endpoint, "POST", path, { body: { actor: "ann", ...body } });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body as { readonly project?: { readonly id: number } };
  };
  const { project } = await post("/projects", { name: "work" });
  for (let from = 0; from < ISSUES; from += 500) {
    const items = Array.from({ length: 500 }, (_, at) => ({
      external_id: `x-${from + at}`,
      title: `issue ${from + at}`,
      author: "ann",
      status: "open",
      created_at: JUNE,
      updated_at: JUNE,
    }));
    await post(`/projects/${project?.id}/imports`, { source: "beads", items });
  }
  return `/api/v1/projects/${project?.id}/ready/actions/take`;
}

describe.each<readonly [string, () => Promise<Env>]>([
  ["SQLite", async () => ({})],
  ["PostgreSQL", async () => ({ SVC_DSN: await freshDsn() })],
])("kill -9 of a daemon on %s", (_, env) => {
  test("while workers claim issues leaves no claim that its worker does not know, and no issue with two claims", async () => {
    const [folder, given] = [tempFolder(), await env()];
    let daemon = await daemonProcess({ folder, env: given });
    onTestFinished(async () => void (await daemon.end("SIGKILL")));
    const path = await filled(daemon);
    const workers = Array.from({ length: WORKERS }, (_, at) => new Worker(`w${at}`, at % 2 === 0));
    for (let round = 0; round < KILL_ROUNDS; round++) {
      // Kills before, during and after the commit of the next takes. Only about one claim in a hundred is known from a
      // repeated request alone.
      const moment = { answers: 1 + ((round * 37) % 60), ms: ((round * 0.618) % 1) * 12 };
      expect(await takeRound(daemon, workers, { path, ...moment })).toBe("SIGKILL");
      daemon = await daemonProcess({ folder, env: given });
    }
    await lastTurn(daemon, workers, path);
    await daemon.end("SIGTERM");
    const dsn = given["SVC_DSN"];
    const place =
      dsn === undefined
        ? ({ dialect: "sqlite", dsn: join(folder, "home", "svc.db") } as const)
        : ({ dialect: "postgres", dsn, schema: "svc" } as const);
    const told = workers.flatMap((worker) => [...worker.told]);
    const made = await claimsOf(place);
    expect(made.toSorted(byKey)).toEqual(told.toSorted(byKey));
    expect(new Set(made.map(([, { issue }]) => issue)).size).toBe(made.length);
    const { integrity, changedEvents, brokenChain, fold, derived } = await examineDatabase(place);
    expect(
      [...integrity, ...changedEvents, ...brokenChain, fold ?? [], derived ?? []].flat(),
    ).toEqual([]);
  }, 600_000);
});

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

async function freshDsn(): Promise<string> {
  const server = await freshPostgres();
  onTestFinished(async () => await server.drop());
  return server.dsn;
}

test.each([["--claim"], ["--lease=5m"]])(
  "svc next %s prints the claim that was made, even if the daemon is killed before it answers",
  async (how) => {
    const folder = tempFolder();
    let daemon = await daemonProcess({ folder });
    onTestFinished(async () => void (await daemon.end("SIGKILL")));
    let takes = 0;
    const pass = async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
      const { method = "GET", url: path = "/", headers } = asked;
      const body = await buffer(asked);
      const { address: socketPath } = daemon.endpoint;
      const answered = await new Promise<IncomingMessage>((resolve, reject) =>
        request({ socketPath, method, path, headers }, resolve).on("error", reject).end(body),
      );
      const text = await buffer(answered);
      if (path.endsWith("/take") && takes++ === 0) {
        await daemon.end("SIGKILL");
        daemon = await daemonProcess({ folder });
        asked.socket.destroy();
        return;
      }
      answer.writeHead(answered.statusCode ?? 500, answered.headers).end(text);
    };
    const server = createServer((asked, answer) => void pass(asked, answer));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : "";
    const b = box({ SVC_SERVER: `http://127.0.0.1:${port}` });
    await b.json("projects", "create", "work");
    for (const title of ["One", "Two"]) await b.json("create", title, "--project", "work");
    const words = ["next", how, "--idempotency-key", "k", "--project", "work"];
    const taken = await b.json(...words);
    expect(taken).toMatchObject({ reused: true, changed: false, issue: { title: "Two" } });
    expect(takes).toBe(2);
    const { events } = await b.json<{ events: { type: string }[] }>("events", "--all");
    const claims = events.filter(({ type }) => /assigned|acquired/.test(type));
    expect(claims).toHaveLength(1);
  },
  60_000,
);
