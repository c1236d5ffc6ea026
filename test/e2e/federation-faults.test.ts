import { expect, test, vi } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { tempFolder } from "../support/daemon.ts";
import { diskFaults, hasDiskFaults } from "../support/disk-faults.ts";
import { hubAndSpokes, type Machine, type Spoke } from "./hub-and-spokes.ts";

const SOON = { timeout: 60_000, interval: 100 };
const LONG = { timeout: 300_000 };

async function titlesOf(of: Machine): Promise<readonly string[]> {
  const { body } = await of.ask("GET", "/issues?limit=1000");
  return (body as { issues: { title: string }[] }).issues.map(({ title }) => title).toSorted();
}

async function create(at: Machine, title: string): Promise<void> {
  const answer = await at.ask("POST", "/issues", {
    body: { actor: "sam", title, force_new: true },
  });
  expect(answer.status, answer.text).toBe(200);
}

/** Hub and copy have these issues and no others, each once, and everything has been sent. */
async function expectBoth(hub: Machine, spoke: Spoke, titles: readonly string[]): Promise<void> {
  const sorted = titles.toSorted();
  await vi.waitFor(async () => {
    expect(await titlesOf(hub)).toEqual(sorted);
    const status = await spoke.status();
    expect(status).toMatchObject({ enabled: true, pending_push_count: 0 });
    expect(status).not.toHaveProperty("last_error");
    expect(status.active_quarantine_count).toBe(0);
  }, SOON);
  expect(await titlesOf(spoke)).toEqual(sorted);
}

async function expectEqual(hub: Machine, spoke: Spoke): Promise<void> {
  const verified = await spoke.box.svc("federation", "verify", "web", "--rows");
  expect([verified.code, verified.stderr]).toEqual([0, ""]);
  for (const { box } of [hub, spoke]) expect((await box.svc("doctor")).code).toBe(0);
}

/** Kills the daemon of the machine as a failing machine does, and starts it again. */
async function killed({ box }: Machine, pid: number): Promise<void> {
  process.kill(pid, "SIGKILL");
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), SOON);
  await box.json("daemon", "start");
}

const pidOf = async ({ box }: Machine): Promise<number> =>
  (await box.json<{ pid: number }>("daemon", "start")).pid;

test(
  "kill -9 of the hub or of the copy while a batch or its answer is sent loses no change and makes none twice",
  LONG,
  async () => {
    const { hub, spokes } = await hubAndSpokes({ spokes: 1 });
    const [spoke] = spokes as [Spoke];
    const { network } = spoke;
    const moments = [
      ["the hub, with the request", hub, "toServer", "events:ingest"],
      ["the hub, with its answer", hub, "toClient", "push_cursor_event_id"],
      ["the copy, with its request", spoke, "toServer", "events:ingest"],
      ["the copy, with the answer", spoke, "toClient", "push_cursor_event_id"],
    ] as const;
    const titles: string[] = [];
    for (const [title, machine, direction, text] of moments) {
      titles.push(title);
      const pid = await pidOf(machine);
      const passed = network.after(direction, text, () => {
        process.kill(pid, "SIGKILL");
        network.cut();
      });
      await create(spoke, title);
      await passed;
      await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), SOON);
      await pidOf(machine);
      await expectBoth(hub, spoke, titles);
    }
    // At any moment of a pass.
    for (let n = 0; n < 6; n += 1) {
      const machine = n % 2 === 0 ? spoke : hub;
      const pid = await pidOf(machine);
      titles.push(`killed ${n}`);
      await create(spoke, `killed ${n}`);
      await systemClock.sleep(4 * n);
      await killed(machine, pid);
    }
    await expectBoth(hub, spoke, titles);
    await expectEqual(hub, spoke);
  },
);

test.skipIf(!hasDiskFaults)(
  "a full disk of the hub or of the copy while a batch is sent loses no change and makes none twice",
  LONG,
  async () => {
    const [disk, hubDisk] = [diskFaults(tempFolder()), diskFaults(tempFolder())];
    const { hub, spokes } = await hubAndSpokes({ spokes: 1, env: disk.env, hubEnv: hubDisk.env });
    const [spoke] = spokes as [Spoke];
    const titles: string[] = [];
    for (const [name, faults] of Object.entries({ hub: hubDisk, copy: disk }))
      for (let before = 0; before < 6; before += 1) {
        await spoke.network.refuse();
        spoke.network.cut();
        titles.push(`${name} ${before}`);
        await create(spoke, `${name} ${before}`);
        await vi.waitFor(
          async () => expect(await spoke.status()).toMatchObject({ last_error: "hub_unavailable" }),
          SOON,
        );
        faults.arm("full", before);
        await spoke.network.accept();
        await vi.waitFor(() => expect(faults.hasFailed()).toBe(true), SOON);
        await expectBoth(hub, spoke, titles);
      }
    await expectEqual(hub, spoke);
  },
);
