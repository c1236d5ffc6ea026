import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { freePort } from "../support/free-port.ts";
import { type Box, box } from "./box.ts";

const SOON = 60_000;
const FAST = { SVC_FEDERATION_PULL_INTERVAL_MS: "200" };

interface Status {
  readonly enabled: boolean;
  readonly disabled_reason?: string;
  readonly last_reset_at?: string;
}

const statusOf = async (of: Box): Promise<Status | undefined> =>
  (await of.json<{ statuses: Status[] }>("federation", "status")).statuses[0];

const titlesOf = async (of: Box): Promise<readonly string[]> =>
  (await of.json<{ issues: { title: string }[] }>("list", "--project", "web")).issues
    .map(({ title }) => title)
    .sort();

/** Waits until one of both copies is disabled, and returns it and the one that goes on. */
async function parted(copies: readonly [Box, Box]): Promise<{ ended: Box; live: Box }> {
  return await vi.waitFor(async () => {
    const all = await Promise.all(copies.map(statusOf));
    expect(all.map((status) => status?.enabled).sort()).toEqual([false, true]);
    const [first, second] = copies;
    return all[0]?.enabled === true
      ? { ended: second, live: first }
      : { ended: first, live: second };
  }, SOON);
}

test("if two machines use copies of one home, only one stays connected, and the other takes over by svc federation resync", {
  timeout: 300_000,
}, async () => {
  const [hub, first, second] = [box(), box(FAST), box(FAST)];
  mkdirSync(hub.home, { mode: 0o700 });
  const port = await freePort();
  const listen = `listen = ["unix://${hub.folder}/hub.sock", "127.0.0.1:${port}"]\n`;
  writeFileSync(join(hub.home, "config.toml"), listen, { mode: 0o600 });
  await hub.json("projects", "create", "web");
  await hub.json("create", "one", "--project", "web");
  const { instance_uid } = await first.json<{ instance_uid: string }>("federation", "identity");
  const made = await hub.json<{ token: string; project_id: number; id: number }>(
    ...["federation", "enroll", "web", "--spoke-instance", instance_uid, "--actor", "sam"],
    ...["--capabilities", "pull"],
  );
  const file = join(first.folder, "token");
  writeFileSync(file, made.token, { mode: 0o600 });
  await first.json(
    ...["federation", "join", "--hub-url", `http://127.0.0.1:${port}`],
    ...["--hub-project-id", String(made.project_id), "--token-file", file],
  );
  await vi.waitFor(async () => expect(await titlesOf(first)).toEqual(["one"]), SOON);

  await first.svc("daemon", "stop");
  cpSync(first.home, second.home, { recursive: true, preserveTimestamps: true });
  for (const copy of [first, second]) await copy.json("daemon", "start");
  const { ended, live } = await parted([first, second]);
  expect((await statusOf(ended))?.disabled_reason).toBe("federation_replica_stale");
  const doctor = await ended.svc("doctor");
  expect(`${doctor.stdout}${doctor.stderr}`).toContain("svc federation resync");

  await hub.json("create", "two", "--project", "web");
  await vi.waitFor(async () => expect(await titlesOf(live)).toEqual(["one", "two"]), SOON);
  expect(await titlesOf(ended)).toEqual(["one"]);
  const resync = await ended.svc("federation", "resync", "web");
  expect([resync.code, resync.stderr]).toEqual([0, ""]);
  await vi.waitFor(async () => {
    expect(await statusOf(live)).toMatchObject({
      enabled: false,
      disabled_reason: "federation_replica_stale",
    });
  }, SOON);
  await vi.waitFor(async () => expect(await titlesOf(ended)).toEqual(["one", "two"]), SOON);
  expect(await statusOf(ended)).toMatchObject({
    enabled: true,
    last_reset_at: expect.any(String),
  });

  // The hub refuses: the copy stays as it is.
  await hub.json("federation", "revoke", String(made.id));
  const refused = await live.svc("federation", "resync", "web");
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain("(auth_invalid)");
  expect((await statusOf(live))?.enabled).toBe(false);
  expect(await titlesOf(live)).toEqual(["one", "two"]);
});
