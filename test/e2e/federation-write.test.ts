import { mkdirSync, writeFileSync } from "node:fs";
import net, { type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import { openStore } from "../../src/store/open.ts";
import { created, uid } from "../store/drafts.ts";
import { freePort } from "../support/free-port.ts";
import { type Box, box } from "./box.ts";

const ADMIN = "hub-admin-0123456789-0123456789";
/** Longer than an edit may take to reach the hub, so that no regular pass is taken for a quick one. */
const INTERVAL_MS = 20_000;
const WITHIN_MS = 10_000;
const SOON = 90_000;

/** The cable between two machines. Without it, connections end and none is made. */
async function cableTo(port: number) {
  const open = new Set<Socket>();
  const state = { plugged: true };
  const server = net.createServer((socket) => {
    open.add(socket.on("error", () => undefined));
    if (!state.plugged) return void socket.destroy();
    const far = net.connect(port, "127.0.0.1").on("error", () => socket.destroy());
    open.add(far);
    socket.pipe(far).pipe(socket);
    socket.on("close", () => far.destroy());
    far.on("close", () => socket.destroy());
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const unplug = (): void => {
    state.plugged = false;
    for (const socket of open) socket.destroy();
    open.clear();
  };
  onTestFinished(() => {
    unplug();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    unplug,
    plug: () => (state.plugged = true),
  };
}

/** A hub of the project web with one issue, and a machine whose copy sends its changes as sam. */
async function machines() {
  const hub = box();
  const spoke = box({ SVC_FEDERATION_PULL_INTERVAL_MS: String(INTERVAL_MS) });
  mkdirSync(hub.home, { mode: 0o700 });
  const port = await freePort();
  const listen = `listen = ["unix://${hub.folder}/hub.sock", "127.0.0.1:${port}"]`;
  const config = `${listen}\n[auth]\ntoken = "${ADMIN}"\n`;
  writeFileSync(join(hub.home, "config.toml"), config, { mode: 0o600 });
  await hub.json("projects", "create", "web");
  await hub.json("create", "an issue", "--project", "web");
  const { instance_uid } = await spoke.json<{ instance_uid: string }>("federation", "identity");
  const { token, project_id } = await hub.json<{ token: string; project_id: number }>(
    ...["federation", "enroll", "web", "--spoke-instance", instance_uid, "--actor", "sam"],
    ...["--capabilities", "pull,push"],
  );
  const file = join(spoke.folder, "token");
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  const cable = await cableTo(port);
  await spoke.json(
    ...["federation", "join", "--hub-url", cable.url, "--hub-project-id", String(project_id)],
    ...["--push", "--token-file", file],
  );
  await vi.waitFor(async () => expect(await titlesOf(spoke)).toEqual(["an issue"]), SOON);
  const [issue] = await issuesOf(hub);
  return { hub, spoke, cable, ref: `web#${issue?.short_id}` };
}

interface Listed {
  readonly title: string;
  readonly short_id: string;
}

const issuesOf = async (of: Box): Promise<readonly Listed[]> =>
  (await of.json<{ issues: Listed[] }>("list", "--project", "web", "--status", "all")).issues;

const titlesOf = async (of: Box) => (await issuesOf(of)).map(({ title }) => title);

async function statusOf(of: Box) {
  const { statuses } = await of.json<{ statuses: Readonly<Record<string, string>>[] }>(
    ...["federation", "status"],
  );
  return statuses[0] ?? {};
}

interface ShowAnswer {
  readonly issue: { readonly title: string; readonly status: string };
  readonly comments: readonly { readonly body: string; readonly author: string }[];
}

async function shownBy(of: Box, ref: string) {
  const { issue, comments } = await of.json<ShowAnswer>("show", ref);
  const { title, status } = issue;
  return { title, status, comments: comments.map(({ body, author }) => ({ body, author })) };
}

test("edits that two machines make while they are disconnected become one history once they are connected", {
  timeout: 300_000,
}, async () => {
  const { hub, spoke, cable, ref } = await machines();
  await spoke.json("edit", ref, "--title", "over the cable");
  const quick = async () => expect(await titlesOf(hub)).toEqual(["over the cable"]);
  await vi.waitFor(quick, WITHIN_MS);

  cable.unplug();
  await spoke.json("edit", ref, "--title", "of the spoke");
  await spoke.json("comment", ref, "-m", "said without a network");
  await spoke.json("create", "made without a network", "--project", "web");
  await hub.json("edit", ref, "--title", "of the hub, later");
  await hub.json("create", "made on the hub", "--project", "web");
  expect(await statusOf(spoke)).toMatchObject({
    pending_push_count: 3,
    reset_blocker: "pending_push",
  });
  expect(await shownBy(hub, ref)).toMatchObject({ title: "of the hub, later", comments: [] });

  cable.plug();
  await vi.waitFor(async () => expect((await titlesOf(hub)).length).toBe(3), SOON);
  await vi.waitFor(async () => expect((await titlesOf(spoke)).length).toBe(3), SOON);
  expect((await titlesOf(hub)).toSorted()).toEqual((await titlesOf(spoke)).toSorted());
  const shown = await shownBy(hub, ref);
  expect(shown).toEqual({
    title: "of the hub, later",
    status: "open",
    comments: [{ body: "said without a network", author: "sam" }],
  });
  expect(await shownBy(spoke, ref)).toEqual(shown);
  expect(await statusOf(spoke)).toMatchObject({ pending_push_count: 0 });
  for (const machine of [hub, spoke]) {
    const doctor = await machine.svc("doctor", "--json");
    expect(doctor.code).toBe(0);
  }
});

/** Writes issues to the copy whose bodies have these many bytes, while its daemon is stopped. */
async function writeOffline({ home }: Box, bodies: readonly number[]): Promise<void> {
  const dsn = join(home, "svc.db");
  const store = await openStore({
    ...{ dsn, clock: systemClock, ids: systemIds(), timezone: "UTC" },
  });
  const project = await store.read(async ({ projects }) => await projects.findByName("web"));
  const drafts = bodies.map((bytes, at) =>
    created(project?.uid ?? "", uid(at + 1000), { body: "x".repeat(bytes) }),
  );
  await store.write(async (tx) => await tx.appendNewIssues(drafts));
  await store.close();
}

test("an issue of 40 MiB reaches the hub, and so do the issues that were written after it", {
  timeout: 300_000,
}, async () => {
  const { hub, spoke } = await machines();
  await spoke.svc("daemon", "stop");
  await writeOffline(spoke, [10, 40 * 1024 * 1024, ...Array.from({ length: 2000 }, () => 10)]);
  // A pass has sent all of it, and then read what the hub has: the large issue comes back.
  const passed = async (): Promise<void> => {
    const now = await statusOf(spoke);
    expect(now).toMatchObject({ pending_push_count: 0 });
    expect(now).not.toHaveProperty("last_error");
    const { last_push_success_at: pushed = "never", last_pull_success_at: pulled = "" } = now;
    expect(pulled >= pushed).toBe(true);
  };
  await vi.waitFor(passed, { timeout: SOON, interval: 1000 });
  expect(issuesIn(hub)).toBe(2003);
  expect(issuesIn(spoke)).toBe(2003);
});

/** How many issues the database of the machine has. */
function issuesIn({ home }: Box): number {
  const db = new Database(join(home, "svc.db"), { readonly: true });
  const count = Number(db.prepare("select count(*) from issue").pluck().get());
  db.close();
  return count;
}
