import { describe, expect, test, vi } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { Host } from "../ops/issue-sync/host.ts";
import { ToolWorld } from "./tools.ts";

async function synced() {
  const host = new Host();
  const world = await ToolWorld.open({
    issueSync: { repositories: [], provider: async () => host },
  });
  await world.project("web");
  await world.project("api");
  return { host, all: await world.serve("all"), bound: await world.serve("web") };
}

const ENABLE = {
  project: "web",
  action: "enable",
  config: { owner: "ann", repo: "web" },
  interval: "1h",
};

describe("the tools of issue sync", () => {
  test("enable, run and disable a sync, and never show its settings", async () => {
    const { host, all, bound } = await synced();
    const before = await bound.call("svc.sync_status", {});
    expect(before.answer).toMatchObject({
      project: { name: "web" },
      status: { state: "not_enabled" },
    });
    expect(before.answer).not.toHaveProperty("binding");
    const { answer } = await all.call("svc.sync_update", ENABLE);
    const binding = { display_name: "ann/web", enabled: true, interval_seconds: 3600 };
    expect(answer).toMatchObject({ project: { name: "web" }, binding });
    expect(answer["binding"]).not.toHaveProperty("config");
    await vi.waitFor(async () => {
      const { answer: now } = await bound.call("svc.sync_status", {});
      expect(now["status"]).toMatchObject({
        state: "enabled",
        last_success_at: expect.any(String),
      });
    }, 20_000);
    host.put(1, { updated_at: systemClock.now() });
    const once = await bound.call("svc.sync_once", {});
    expect(once.answer).toMatchObject({ binding, import: { created: 1 } });
    const disabled = await bound.call("svc.sync_update", { action: "disable" });
    expect(disabled.answer).toMatchObject({ status: { state: "disabled" } });
    expect((await bound.call("svc.sync_once", {})).failure).toContain("reads from no repository");
  });

  test.each([
    ["sync_update", { ...ENABLE, project: undefined }, "requires --all-projects"],
    ["sync_update", { action: "enable", interval: "1h" }, "config: enable needs it"],
    ["sync_update", { ...ENABLE, interval: undefined }, "either interval or interval_seconds"],
    ["sync_update", { ...ENABLE, interval_seconds: 60 }, "either interval or interval_seconds"],
    ["sync_update", { action: "disable", config: {} }, "disable takes no config"],
    ["sync_once", { project: "api" }, "outside this server's scope"],
    ["sync_status", { project: "api" }, "outside this server's scope"],
    ["sync_status", { provider: "other" }, "invalid arguments: provider"],
  ])("svc.%s refuses %j on a server of one project", async (name, args, text) => {
    const { host, bound } = await synced();
    expect((await bound.call(`svc.${name}`, { ...args })).failure).toContain(text);
    expect(host.validated).toEqual([]);
  });

  test("an edit of a field that the host owns is made, and its answer warns", async () => {
    const { host, all, bound } = await synced();
    host.put(1);
    await all.call("svc.sync_update", ENABLE);
    const find = async () => {
      const { answer } = await bound.call("svc.list", {});
      return (answer["issues"] as readonly { readonly ref: string }[])[0]?.ref;
    };
    const ref = await vi.waitFor(async () => {
      const found = await find();
      expect(found).toBeDefined();
      return found ?? "";
    }, 20_000);
    const warnings = (fields: string) => [
      `GitHub owns ${fields} of ${ref}: the edit is lost when the issue changes there, so make it there too (https://github.com/ann/web/issues/1)`,
    ];
    const { answer } = await bound.call("svc.show", { ref });
    expect(answer).toMatchObject({ issue: { synced: "https://github.com/ann/web/issues/1" } });
    const edited = await bound.call("svc.edit", { ref, title: "mine", body: "mine" });
    expect(edited.answer).toMatchObject({ changed: true, warnings: warnings("title and body") });
    const claimed = await bound.call("svc.claim", {});
    expect(claimed.answer).toMatchObject({ changed: true, warnings: warnings("owner") });
    const labeled = await bound.call("svc.set_label", { ref, label: "mine", present: true });
    expect(labeled.answer).not.toHaveProperty("warnings");
  });

  test("a refusal of the daemon is passed on to the client", async () => {
    const { all } = await synced();
    const config = { owner: "ann", repo: "web", branch: "main" };
    const { failure } = await all.call("svc.sync_update", { ...ENABLE, config });
    expect(failure).toContain("config.branch");
  });
});
