import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { Box } from "./box.ts";
import { hubAndSpokes, type Machine, type Spoke } from "./hub-and-spokes.ts";

const SOON = { timeout: 60_000, interval: 250 };
const LONG = { timeout: 300_000 };

const titlesOf = async ({ box }: Pick<Machine, "box">): Promise<readonly string[]> =>
  (await box.json<{ issues: { title: string }[] }>("list", "--project", "web")).issues
    .map(({ title }) => title)
    .toSorted();

const create = async ({ box }: Pick<Machine, "box">, title: string): Promise<void> =>
  void (await box.json("create", title, "--project", "web"));

async function fixOf(of: Box): Promise<string> {
  const { checks } = JSON.parse((await of.svc("doctor", "--json")).stdout) as {
    checks: { id: string; fix?: string }[];
  };
  return checks.find(({ id }) => id === "storage.federation")?.fix ?? "";
}

const RESYNC = ["svc federation resync web"];
const NEW_IDENTITY = [
  "svc backup --output copy.jsonl",
  "svc daemon stop",
  "svc import --force --new-instance --input copy.jsonl",
];

/** Types the commands, each of which svc doctor names as a cure. */
async function typeCures({ box }: Spoke, commands: readonly string[]): Promise<void> {
  const fix = await fixOf(box);
  for (const command of commands) {
    expect(fix).toContain(command);
    const { code, stderr } = await box.svc(...command.split(" ").slice(1));
    expect(code, `${command}: ${stderr}`).toBe(0);
  }
}

/** The home of the machine is put back as it was before `meanwhile`; its daemon is stopped for both. */
async function restoredFrom({ box }: Spoke, meanwhile: () => Promise<void>): Promise<void> {
  const backup = join(box.folder, "yesterday");
  await box.svc("daemon", "stop");
  cpSync(box.home, backup, { recursive: true, preserveTimestamps: true });
  await box.json("daemon", "start");
  await meanwhile();
  await box.svc("daemon", "stop");
  rmSync(box.home, { recursive: true });
  cpSync(backup, box.home, { recursive: true, preserveTimestamps: true });
}

/** A copy that was restored from yesterday, and has changes since then that its hub has not got. */
async function restoredSpoke(): Promise<{ readonly hub: Machine; readonly spoke: Spoke }> {
  const { hub, spokes } = await hubAndSpokes({ spokes: 1, issues: 1 });
  const [spoke] = spokes as [Spoke];
  await create(spoke, "sent yesterday");
  await vi.waitFor(async () => expect(await titlesOf(hub)).toContain("sent yesterday"), SOON);
  await restoredFrom(spoke, async () => {
    for (const title of ["sent today", "sent today, later"]) {
      await create(spoke, title);
      await vi.waitFor(async () => expect(await titlesOf(hub)).toContain(title), SOON);
      await create(hub, `of the hub after ${title}`);
      await vi.waitFor(
        async () => expect(await titlesOf(spoke)).toHaveLength((await titlesOf(hub)).length),
        SOON,
      );
    }
  });
  await spoke.network.refuse();
  await spoke.box.json("daemon", "start");
  await create(spoke, "written offline");
  await spoke.network.accept();
  await vi.waitFor(async () => {
    expect(await spoke.status()).toMatchObject({
      enabled: false,
      disabled_reason: "federation_replica_stale",
    });
  }, SOON);
  expect(await titlesOf(hub)).not.toContain("written offline");
  expect(await titlesOf(spoke)).toEqual(["issue 0", "sent yesterday", "written offline"]);
  return { hub, spoke };
}

const ALL = [
  ...["issue 0", "of the hub after sent today", "of the hub after sent today, later"],
  ...["sent today", "sent today, later", "sent yesterday", "written offline"],
];

/** Hub and copy agree, and doctor finds nothing. */
async function expectAgreement(hub: Machine, spoke: Spoke): Promise<void> {
  await vi.waitFor(async () => {
    expect(await spoke.status()).toMatchObject({ enabled: true, pending_push_count: 0 });
    const verified = await spoke.box.svc("federation", "verify", "web", "--rows");
    expect([verified.code, verified.stderr]).toEqual([0, ""]);
  }, SOON);
  for (const { box } of [hub, spoke]) expect((await box.svc("doctor")).code).toBe(0);
}

test(
  "a copy that was restored from yesterday stops, and svc federation resync lets it continue with all changes",
  LONG,
  async () => {
    const { hub, spoke } = await restoredSpoke();
    await typeCures(spoke, RESYNC);
    for (const machine of [hub, spoke])
      await vi.waitFor(async () => expect(await titlesOf(machine)).toEqual(ALL), SOON);
    await expectAgreement(hub, spoke);
  },
);

test(
  "a copy that was restored from yesterday continues with all changes under a new identity",
  LONG,
  async () => {
    const { hub, spoke } = await restoredSpoke();
    await typeCures(spoke, NEW_IDENTITY);
    const { instance_uid } = await spoke.box.json<{ instance_uid: string }>(
      ...["federation", "identity"],
    );
    const { token, project_id } = await hub.box.json<{ token: string; project_id: number }>(
      ...["federation", "enroll", "web", "--spoke-instance", instance_uid, "--actor", "sam"],
    );
    const file = join(spoke.box.folder, "token");
    writeFileSync(file, token, { mode: 0o600 });
    await spoke.box.json(
      ...["federation", "join", "--hub-url", `http://127.0.0.1:${spoke.network.port}`],
      ...["--hub-project-id", String(project_id), "--push", "--token-file", file],
    );
    for (const machine of [hub, spoke])
      await vi.waitFor(async () => expect(await titlesOf(machine)).toEqual(ALL), SOON);
    await expectAgreement(hub, spoke);
  },
);
