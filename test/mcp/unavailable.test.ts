import { describe, expect, test } from "vitest";
import { ToolWorld } from "./tools.ts";

async function two() {
  const world = await ToolWorld.open();
  const web = await world.project("web");
  await world.project("api");
  const { short_id: ref } = await world.issue(web.id, "an issue");
  return { world, ref };
}

describe("tools that are listed and do not work yet", () => {
  test("say that they are not available, after the scope was checked", async () => {
    const { world, ref } = await two();
    const bound = await world.serve("web");
    const all = await world.serve("all");
    const said = async (client: typeof all, name: string, args: object) =>
      (await client.call(`svc.${name}`, { ...args })).failure;
    const calls: readonly (readonly [string, object])[] = [
      ["bridge_show", { ref }],
      ["bridge_reconcile", { ref }],
      ["bridge_pause", { ref, reason: "later" }],
      ["bridge_resume", { ref }],
      ["bridge_resolve_field", { ref, svc_field: "deadline_on", use: "local" }],
      ["bridge_resolve_comment", { ref, action: "skip" }],
      ["bridge_unbind", { ref }],
    ];
    for (const [name, args] of calls)
      expect(await said(bound, name, args)).toBe(`svc.${name}: not available on this daemon`);
    const wide: readonly (readonly [string, object])[] = [
      ["connector_fields", { instance: "one" }],
      ["connector_field_map", { instance: "one", svc_field: "deadline_on", external_field: "due" }],
      ["connector_field_unmap", { instance: "one", svc_field: "deadline_on" }],
      ["bridge_bind", { ref: `web#${ref}`, connector: "one", external: "A-1" }],
    ];
    for (const [name, args] of wide) {
      expect(await said(bound, name, args)).toBe(`svc.${name} requires --all-projects`);
      expect(await said(all, name, args)).toBe(`svc.${name}: not available on this daemon`);
    }
  });

  test.each([
    [
      "federation_leave",
      { project: "web", phase: "prepare", disposition: "archive" },
      "--all-projects",
    ],
    [
      "federation_quarantine",
      { project: "web", id: 7, action: "skip", confirm: "x" },
      "SKIP FEDERATION BATCH 7",
    ],
    ["bridge_show", { ref: "api#ab3d" }, "outside this server's scope"],
    ["bridge_resolve_comment", { ref: "ab3d", action: "adopt" }, "external_comment_id"],
  ])("svc.%s refuses invalid arguments before it asks the daemon", async (name, args, text) => {
    const { world } = await two();
    const client = await world.serve("web");
    expect((await client.call(`svc.${name}`, args)).failure).toContain(text);
  });
});
