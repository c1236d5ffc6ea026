import { expect, test } from "vitest";
import { expectFolded } from "../store/fold.ts";
import { type Joined, joined } from "../support/replica.ts";
import { bindingOf, rowsOf, statusOf } from "./copies.ts";
import { describeDisks } from "./full-disks.ts";
import { writingCopy } from "./push-world.ts";

/** The project of the hub is larger than the room that a full disk still has, and is sent in one page. */
const ISSUES = 8;
const BODY = "x".repeat(30_000);

async function fill(hub: Joined["hub"], project: Joined["project"]): Promise<void> {
  for (let made = 0; made < ISSUES; made += 1) await hub.given.issue({ project, body: BODY });
}

describeDisks("a spoke whose disk is full while it writes a page", (database) => {
  test("writes no part of the page, reports an error, and continues when there is room", async () => {
    const { open, disks } = database();
    const { hub, project, spoke, pull } = await joined(open, fill);
    const [, disk] = disks;
    await disk?.fill();
    const ended = async () => await spoke.store.read(async ({ events }) => await events.lastId());
    const before = await ended();
    const refused = { code: "unavailable", data: { reason: "disk_full" } };
    for (let pass = 1; pass <= 2; pass += 1) await expect(pull()).rejects.toMatchObject(refused);
    expect(await ended()).toBe(before);
    const binding = await bindingOf(spoke, project);
    expect(binding).toMatchObject({ enabled: 1, hub_stamp: null });
    expect(binding?.pull_cursor_event_id).toBe((binding?.replay_horizon_event_id ?? 0) - 1);
    expect(await statusOf(spoke, project)).toMatchObject({
      last_error: "unavailable",
      last_pull_success_at: null,
    });
    await expectFolded(spoke.store);
    await disk?.makeRoom();
    expect(await pull()).toMatchObject({ outcome: "current", events: ISSUES + 1 });
    expect(await statusOf(spoke, project)).toMatchObject({ last_error: null });
    expect(await rowsOf(spoke)).toEqual(await rowsOf(hub));
    await expectFolded(spoke.store);
  });
});

describeDisks("a hub whose disk is full while a copy sends it changes", (database) => {
  test("accepts no change until there is room, then has each once; the copy keeps its changes and accepts more", async () => {
    const { open, disks } = database();
    const it = await writingCopy(open);
    const { hub, spoke, local } = it;
    for (let made = 0; made < ISSUES; made += 1)
      await spoke.given.issue({ project: local, body: BODY });
    const [disk] = disks;
    await disk?.fill();
    const before = await hub.events();
    for (let pass = 1; pass <= 2; pass += 1) {
      expect(await it.pull()).toMatchObject({ outcome: "failed", code: "unavailable" });
      await spoke.given.issue({ project: local, title: `meanwhile ${pass}` });
    }
    expect(await hub.events()).toEqual(before);
    expect(await it.quarantine()).toBeUndefined();
    expect(await it.status()).toMatchObject({
      last_error: "unavailable",
      pending_push_count: ISSUES + 2,
      reset_blocker: "pending_push",
    });
    await disk?.makeRoom();
    expect(await it.pull()).toMatchObject({ outcome: "current" });
    const made = (await hub.events()).filter(({ type }) => type === "issue.created");
    expect(made).toHaveLength(ISSUES + 2);
    expect(await it.status()).not.toHaveProperty("last_error");
    await it.expectOneHistory();
  });
});
