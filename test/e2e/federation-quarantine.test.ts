import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { postgresDsn } from "../support/postgres.ts";
import { hubAndSpokes, type Machine, type Spoke } from "./hub-and-spokes.ts";

const SOON = { timeout: 60_000, interval: 250 };

const titlesOf = async ({ box }: Pick<Machine, "box">): Promise<readonly string[]> =>
  (await box.json<{ issues: { title: string }[] }>("list", "--project", "web")).issues
    .map(({ title }) => title)
    .toSorted();

const BATCHES = ["federation", "quarantine"];

test("a hub restored from yesterday refuses changes of an issue it has lost; a skip drops them, and both machines continue", {
  timeout: 300_000,
}, async () => {
  const env = { SVC_DSN: await postgresDsn() };
  const { hub, spokes } = await hubAndSpokes({ spokes: 1, issues: 1, env });
  const [spoke] = spokes as [Spoke];
  const { box } = spoke;
  const yesterday = join(hub.box.folder, "yesterday.jsonl");
  await hub.box.json("backup", "--output", yesterday);
  const { issue } = await hub.box.json<{ issue: { short_id: string } }>(
    ...["create", "of today", "--project", "web"],
  );
  await vi.waitFor(async () => expect(await titlesOf(spoke)).toContain("of today"), SOON);

  await spoke.network.refuse();
  spoke.network.cut();
  await hub.box.svc("daemon", "stop");
  await hub.box.json("import", "--force", "--input", yesterday);
  await hub.box.json("daemon", "start");
  await box.json("comment", `web#${issue.short_id}`, "-m", "on an issue that the hub has lost");
  await box.json("create", "written after", "--project", "web");
  await spoke.network.accept();
  const waits = async (id: number) =>
    await vi.waitFor(async () => {
      const { active_quarantines: all } = await spoke.status();
      expect(all?.map((batch) => batch.id)).toEqual([id]);
    }, SOON);
  await waits(1);
  const shown = await box.svc(...BATCHES, "show", "1", "--project", "web");
  for (const part of ["references unknown issue", "RETRY FEDERATION BATCH 1", "skip 1"])
    expect(shown.stdout).toContain(part);
  expect((await box.svc("doctor")).stdout).toContain("svc federation quarantine show 1");
  expect(await titlesOf(spoke)).toContain("written after");

  const decide = async (verb: "retry" | "skip", id: number) => {
    const confirm = `${verb.toUpperCase()} FEDERATION BATCH ${id}`;
    await box.json(...BATCHES, verb, String(id), "--project", "web", "--confirm", confirm);
  };
  await decide("retry", 1);
  await waits(2);
  await decide("skip", 2);
  await vi.waitFor(async () => {
    const status = await spoke.status();
    expect(status).toMatchObject({ enabled: true, pending_push_count: 0 });
    expect(status).not.toHaveProperty("last_error");
    expect(await titlesOf(spoke)).toEqual(["issue 0"]);
  }, SOON);
  await box.json("create", "written again", "--project", "web");
  for (const machine of [hub, spoke])
    await vi.waitFor(
      async () => expect(await titlesOf(machine)).toEqual(["issue 0", "written again"]),
      SOON,
    );
  const verified = await box.svc("federation", "verify", "web", "--rows");
  expect([verified.code, verified.stderr]).toEqual([0, ""]);
  for (const machine of [hub, spoke]) expect((await machine.box.svc("doctor")).code).toBe(0);
});
