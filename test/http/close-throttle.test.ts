import { expect, test } from "vitest";
import { closeIssue, reopenIssue } from "../../src/contract/actions.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

type GivenIssue = Awaited<ReturnType<World["given"]["issue"]>>;

const MESSAGE = "the parser keeps the last line of a file that ends so";

describeStore("close guards against bursts", (open) => {
  async function family(enabled = true) {
    const close_throttle = { enabled, window_ms: 60_000, limit: 3 };
    const w = await world({ store: open, settings: { close_throttle } });
    const parent = await w.given.issue({ title: "parent" });
    const children: GivenIssue[] = [];
    for (let at = 0; at < 5; at++) {
      const child = await w.given.issue({ title: `child ${at}` });
      await w.given.link(child, "parent", parent);
      children.push(child);
    }
    const child = (at: number): GivenIssue => children[at] ?? parent;
    const quick = { source: "tui" } as const;
    const said = (message: string, reason: "done" | "wontfix" = "done") => ({
      reason,
      message,
      ...(reason === "done" ? { evidence: [{ type: "commit" as const, sha: "1f2e3d4" }] } : {}),
    });
    const close = async (at: number, body: object = quick) =>
      await w.call(closeIssue, { params: child(at).path, body });
    const refused = async (at: number, body: object = quick) =>
      await w.refused(closeIssue, { params: child(at).path, body });
    return { w, parent, child, close, refused, said };
  }

  test("refuse the fourth close among siblings within the window, and record the refusal in the log", async () => {
    const { w, parent, child, close, refused } = await family();
    for (const at of [0, 1, 2]) await close(at);
    w.clock.advance(59_999);
    const error = await refused(3);
    expect(error.code).toBe("sibling_throttle");
    expect(error.data).toEqual({ siblings: [0, 1, 2].map((at) => child(at).short_id) });
    expect((await w.events()).at(-1)).toMatchObject({
      type: "close.throttled",
      issue_uid: child(3).uid,
      payload: {
        reason: "sibling-burst",
        parent: parent.uid,
        cohort: [0, 1, 2].map((at) => child(at).uid),
      },
    });
    w.clock.advance(1);
    expect((await close(3)).changed).toBe(true);
  });

  test("do not count closes by other actors, closes under other parents and reopened siblings", async () => {
    const { w, child, close } = await family();
    for (const at of [0, 1]) await close(at);
    await close(2, { source: "tui", actor: "bea" });
    expect((await close(3)).changed).toBe(true);
    await w.call(reopenIssue, { params: child(0).path });
    expect((await close(4)).changed).toBe(true);
    const alone = await w.given.issue({ title: "without a parent" });
    await w.given.closed(alone);
  });

  test("refuse a dry run in the same way and record nothing in the log", async () => {
    const { w, close, refused } = await family();
    for (const at of [0, 1, 2]) await close(at);
    const before = (await w.events()).length;
    expect((await refused(3, { source: "tui", dry_run: true })).code).toBe("sibling_throttle");
    expect(await w.events()).toHaveLength(before);
  });

  test("refuse a close with the same message on a sibling for half an hour", async () => {
    const { w, parent, child, close, refused, said } = await family();
    await close(0, said(MESSAGE));
    w.clock.advance(30 * 60_000 - 1);
    const error = await refused(1, said(` ${MESSAGE.toUpperCase()}!`));
    expect(error).toMatchObject({ code: "duplicate_message", data: { prior: child(0).short_id } });
    expect((await w.events()).at(-1)).toMatchObject({
      type: "close.throttled",
      payload: { reason: "duplicate-message", parent: parent.uid, prior: child(0).uid },
    });
    w.clock.advance(1);
    expect((await close(1, said(MESSAGE))).changed).toBe(true);
  });

  test("allow the same message on the same issue, another message, another actor and a long message with wontfix", async () => {
    const { w, child, close, said } = await family();
    await close(0, said(MESSAGE));
    await w.call(reopenIssue, { params: child(0).path });
    expect((await close(0, said(MESSAGE))).changed).toBe(true);
    expect((await close(1, said(`${MESSAGE} now`))).changed).toBe(true);
    expect((await close(2, { ...said(MESSAGE), actor: "bea" })).changed).toBe(true);
    w.clock.advance(60_000);
    const long = "nobody reads the old format any more, so its reader goes with the next release";
    await close(3, said(long, "wontfix"));
    expect((await close(4, said(long, "wontfix"))).changed).toBe(true);
  });

  test("refuse nothing unless they are switched on", async () => {
    const { close, said } = await family(false);
    for (const at of [0, 1, 2, 3, 4]) expect((await close(at, said(MESSAGE))).changed).toBe(true);
  });
});
