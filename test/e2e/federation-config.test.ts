import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { health } from "../../src/contract/health.ts";
import type { Output } from "../../src/contract/route.ts";
import { freePort } from "../support/free-port.ts";
import { postgresDsn } from "../support/postgres.ts";
import { type Box, box } from "./box.ts";

const ADMIN = "hub-admin-0123456789-0123456789";
const SOON = { timeout: 60_000, interval: 250 };
const LONG = { timeout: 300_000 };

/** A hub with a port, and a machine whose config.toml says that its project `board` is a copy of the hub's `web`. */
async function machines({ token = true, isOnPostgres = false } = {}) {
  const database = async () => (isOnPostgres ? { SVC_DSN: await postgresDsn() } : {});
  const hub = box(await database());
  const spoke = box({
    ...(await database()),
    SVC_FEDERATION_PULL_INTERVAL_MS: "300",
    ...(token ? { HUB_ADMIN: ADMIN } : {}),
  });
  const port = await freePort();
  for (const { home } of [hub, spoke]) mkdirSync(home, { mode: 0o700 });
  const listen = `listen = ["unix://${hub.folder}/hub.sock", "127.0.0.1:${port}"]`;
  write(hub, `${listen}\n[auth]\ntoken = "${ADMIN}"\n`);
  write(
    spoke,
    `[[daemon]]
name = "team"
url = "http://127.0.0.1:${port}"
token_env = "HUB_ADMIN"

[[federation.project]]
hub = "team"
spoke_project = "board"
hub_project = "web"
actor = "sam"
`,
  );
  return { hub, spoke };
}

function write({ home }: Box, text: string): void {
  writeFileSync(join(home, "config.toml"), text, { mode: 0o600 });
}

/** Starts the daemon anew, with a variable that a person has set meanwhile. */
async function restart(of: Box, more: Readonly<Record<string, string>> = {}): Promise<void> {
  Object.assign(of.env, more);
  await of.svc("daemon", "stop");
  await of.json("daemon", "start");
}

const healthOf = async (of: Box) => await of.json<Output<typeof health>>("health");

async function reconciled(spoke: Box): Promise<void> {
  await vi.waitFor(
    async () => expect((await healthOf(spoke)).federation_config).toMatchObject({ reconciled: 1 }),
    SOON,
  );
}

async function failing(spoke: Box, category: string): Promise<void> {
  await vi.waitFor(async () => {
    const { ok, federation_config } = await healthOf(spoke);
    expect([ok, federation_config?.last_error_category]).toEqual([true, category]);
  }, SOON);
}

const titles = async (of: Box, project: string): Promise<readonly string[]> =>
  (await of.json<{ issues: { title: string }[] }>("list", "--project", project)).issues
    .map(({ title }) => title)
    .toSorted();

async function doctorOf(of: Box) {
  const { stdout } = await of.svc("doctor", "--json");
  const { checks } = JSON.parse(stdout) as {
    checks: { id: string; status: string; summary: string; fix?: string }[];
  };
  return checks.find(({ id }) => id === "daemon.federation");
}

/** The files below the folder whose bytes have the text. */
function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

test(
  "a machine copies the board of its hub by its configuration alone, and its token stands in only one file",
  LONG,
  async () => {
    const { hub, spoke } = await machines();
    await hub.json("projects", "create", "web");
    await hub.json("create", "from the hub", "--project", "web");
    await spoke.json("daemon", "start");
    await reconciled(spoke);
    await spoke.json("create", "from the machine", "--project", "board");
    const both = ["from the hub", "from the machine"];
    await vi.waitFor(async () => expect(await titles(spoke, "board")).toEqual(both), SOON);
    await vi.waitFor(async () => expect(await titles(hub, "web")).toEqual(both), SOON);
    expect(await doctorOf(spoke)).toMatchObject({ status: "ok" });

    const file = join(spoke.home, "credentials.toml");
    const token = /token = "([^"]+)"/.exec(readFileSync(file, "utf8"))?.[1] ?? "";
    expect(token).toMatch(/^svc_fed_/);
    expect(filesWith(spoke.folder, token)).toEqual([file]);
    expect(filesWith(spoke.folder, ADMIN)).toEqual([]);
    const { stdout } = await spoke.svc("daemon", "logs");
    expect(stdout).toContain("federation_mapping.reconciled");

    await restart(spoke);
    await reconciled(spoke);
    const listed = await hub.json<{ enrollments: unknown[] }>("federation", "enrollments", "list");
    expect(listed.enrollments).toHaveLength(1);
  },
);

test(
  "an unset token variable, a stopped hub and a credential file that others can read are reported, and can be mended",
  LONG,
  async () => {
    const { hub, spoke } = await machines({ token: false });
    await spoke.json("daemon", "start");
    await failing(spoke, "hub_authentication");
    expect(await doctorOf(spoke)).toMatchObject({
      status: "warning",
      fix: expect.stringContaining("token_env") as string,
    });
    await restart(spoke, { HUB_ADMIN: ADMIN });
    await failing(spoke, "hub_unavailable");
    await spoke.json("create", "written alone", "--project", "board");
    await hub.json("daemon", "start");
    await reconciled(spoke);
    await vi.waitFor(async () => expect(await titles(hub, "web")).toEqual(["written alone"]), SOON);

    const file = join(spoke.home, "credentials.toml");
    chmodSync(file, 0o644);
    await restart(spoke);
    await failing(spoke, "credential_io");
    chmodSync(file, 0o600);
    await reconciled(spoke);
  },
);

test(
  "a project that was created again on an empty hub is reported as a conflict, and nothing is enrolled for it",
  LONG,
  async () => {
    const { hub, spoke } = await machines();
    await hub.json("daemon", "start");
    await spoke.json("daemon", "start");
    await reconciled(spoke);
    await spoke.json("create", "kept", "--project", "board");
    await hub.svc("daemon", "stop");
    for (const name of readdirSync(hub.home))
      if (name.startsWith("svc.db")) rmSync(join(hub.home, name));
    await hub.json("projects", "create", "web");
    await restart(spoke);
    await failing(spoke, "binding_conflict");
    expect((await healthOf(spoke)).federation_config).toMatchObject({ conflicted: 1 });
    const listed = await hub.json<{ enrollments: unknown[] }>("federation", "enrollments", "list");
    expect(listed.enrollments).toEqual([]);
    expect(await titles(spoke, "board")).toEqual(["kept"]);
    expect(await doctorOf(spoke)).toMatchObject({ status: "warning" });
  },
);

/** Whether each enrollment of the hub is active. */
async function activeAt(hub: Box): Promise<readonly boolean[]> {
  const { enrollments } = await hub.json<{ enrollments: { revoked_at?: string }[] }>(
    ...["federation", "enrollments", "list"],
  );
  return enrollments.map(({ revoked_at }) => revoked_at === undefined);
}

const DISPOSITIONS = [
  { words: [], archived: false },
  { words: ["--delete", "--force"], archived: true },
] as const;
const DATABASES = [
  { on: "SQLite", isOnPostgres: false },
  { on: "PostgreSQL", isOnPostgres: true },
] as const;

test.each(DATABASES.flatMap((database) => DISPOSITIONS.map((how) => ({ ...database, ...how }))))(
  "on $on (archived: $archived), a copy that leaves its hub returns after a restart only if config.toml still names it",
  LONG,
  async ({ isOnPostgres, words, archived }) => {
    const { hub, spoke } = await machines({ isOnPostgres });
    await hub.json("projects", "create", "web");
    await hub.json("create", "from the hub", "--project", "web");
    await spoke.json("daemon", "start");
    await reconciled(spoke);
    await vi.waitFor(
      async () => expect(await titles(spoke, "board")).toEqual(["from the hub"]),
      SOON,
    );
    await spoke.json("create", "from the machine", "--project", "board");
    await vi.waitFor(async () => expect(await titles(hub, "web")).toHaveLength(2), SOON);

    const left = await spoke.svc("federation", "leave", "board", ...words);
    expect([left.code, left.stderr]).toEqual([
      0,
      "config.toml copies board: remove its [[federation.project]] before the daemon restarts, or it is copied again\n",
    ]);
    expect(await activeAt(hub)).toEqual([false]);
    const file = join(spoke.home, "credentials.toml");
    expect(readFileSync(file, "utf8")).not.toContain("svc_fed_");
    const status = async () =>
      (await spoke.json<{ statuses: unknown[] }>("federation", "status", "--archived")).statuses;
    expect(await status()).toEqual([]);
    expect((await healthOf(spoke)).federation_config).toMatchObject({ reconciled: 1, pending: 0 });
    const again = await spoke.svc("federation", "leave", "board", ...words);
    expect(again.code).toBe(0);

    if (archived) {
      expect((await spoke.svc("create", "refused", "--project", "board")).code).not.toBe(0);
      await spoke.json("projects", "restore", "board");
    }
    await spoke.json("create", "alone", "--project", "board");
    await hub.json("create", "not read", "--project", "web");
    expect(await titles(spoke, "board")).toEqual(["alone", "from the hub", "from the machine"]);

    // As docs/federation.md says, the entry brings the copy back with the next start.
    await restart(spoke);
    await reconciled(spoke);
    const all = ["alone", "from the hub", "from the machine", "not read"];
    for (const [of, name] of [
      [spoke, "board"],
      [hub, "web"],
    ] as const)
      await vi.waitFor(async () => expect(await titles(of, name)).toEqual(all), SOON);
    expect(await activeAt(hub)).toEqual([false, true]);

    await spoke.json("federation", "leave", "board");
    write(
      spoke,
      readFileSync(join(spoke.home, "config.toml"), "utf8").split("[[federation")[0] ?? "",
    );
    await restart(spoke);
    expect((await healthOf(spoke)).federation_config).toBeUndefined();
    expect(await status()).toEqual([]);
    expect(await activeAt(hub)).toEqual([false, false]);
  },
);
