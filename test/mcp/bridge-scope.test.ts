import { describe, expect, test } from "vitest";
import { call } from "../../src/client/call.ts";
import { createToken } from "../../src/contract/tokens.ts";
import { availableSections } from "../../src/mcp/available.ts";
import { SECTIONS } from "../../src/mcp/sections.ts";
import { describedConnector } from "../connectors/described.ts";
import { filesConnector } from "../connectors/files.ts";
import { type Args, answered, bound, connectedBy, opened, PLAN, refused } from "./bridges.ts";
import { ToolWorld } from "./tools.ts";

const WIDE: readonly (readonly [string, Args])[] = [
  ["connectors", {}],
  ["connector_fields", { instance: "files" }],
  ["connector_field_map", { instance: "files", svc_field: "deadline_on", external_field: "due" }],
  ["connector_field_unmap", { instance: "files", svc_field: "deadline_on" }],
  ["bridge_bind", { ref: "web#ab3d", connector: "files", external: "plan.md" }],
];

const OF_ISSUES: readonly (readonly [string, Args])[] = [
  ["bridge_show", {}],
  ["bridge_reconcile", {}],
  ["bridge_pause", { reason: "later" }],
  ["bridge_resume", {}],
  ["bridge_resolve_field", { svc_field: "deadline_on", use: "local" }],
  ["bridge_resolve_comment", { action: "skip" }],
  ["bridge_unbind", {}],
];

describe("the scope of a server", () => {
  test("has every tool of the section in one of two lists", () => {
    const names = [...WIDE, ...OF_ISSUES].map(([name]) => name);
    expect(names.toSorted()).toEqual([...SECTIONS.external_roots].toSorted());
  });

  test("must be all projects for binding, connectors and fields, which then change nothing", async () => {
    const { world, ref, all, bound: client } = await opened();
    const some = await world.serve(["web", "api"]);
    for (const [name, args] of WIDE)
      for (const limited of [client, some])
        expect(await refused(limited, name, args)).toBe(`svc.${name} requires --all-projects`);
    expect(await refused(client, "bridge_show", { ref })).toContain("bridge_not_found");
    expect(await answered(all, "connector_fields", { instance: "files" })).toMatchObject({
      mappings: [],
    });
  });

  test("lets the others work on bound issues of it, and on no other", async () => {
    const { world, ref, all, bound: client } = await bound();
    const [some, other] = [await world.serve(["web"]), await world.serve("api")];
    for (const [name, args] of OF_ISSUES) {
      expect(await refused(other, name, { ref: `web#${ref}`, ...args })).toBe(
        'project "web" is outside this server\'s scope',
      );
      expect(await refused(other, name, { ref, ...args })).toContain("issue_not_found");
      expect(await refused(client, name, { ref: "gone#ab3d", ...args })).toBe(
        'project "gone" is outside this server\'s scope',
      );
      for (const wide of [some, all])
        expect(await refused(wide, name, { ref, ...args })).toContain("write project#short_id");
    }
    for (const [who, named] of [
      [client, ref],
      [some, `web#${ref}`],
      [all, `web#${ref}`],
    ] as const) {
      await answered(who, "bridge_pause", { ref: named });
      expect(await answered(who, "bridge_resume", { ref: named })).toMatchObject({
        bridge: { enabled: true },
      });
    }
  });
});

describe("who may use the tools of bridges", () => {
  const BOOTSTRAP = "own-secret-0123456789";

  async function identity(tokensAdministerConnectors: boolean) {
    const files = filesConnector({ "plan.md": PLAN });
    const world = await ToolWorld.open({
      ...connectedBy(files),
      authentication: { mode: "identity", token: BOOTSTRAP, tokensAdministerConnectors },
    });
    const made = await call(world.client, createToken, { body: { actor: "ann" } });
    const ann = await world.withToken(made.plaintext ?? "");
    const { id } = await ann.project("web");
    const { qualified_id: ref } = await ann.issue(id, "an issue");
    return { ref, ann: await ann.serve("all"), bootstrap: await world.serve("all") };
  }

  const all = (ref: string) => [
    ...WIDE.map(([name, args]) => [name, "ref" in args ? { ...args, ref } : args] as const),
    ...OF_ISSUES.map(([name, args]) => [name, { ref, ...args }] as const),
  ];
  const FORBIDDEN = /^403 integration_administration_forbidden: .* — a person decides who may; /;

  test("nobody on a daemon with tokens of persons, not even to read", async () => {
    const { ref, ann, bootstrap } = await identity(false);
    for (const [name, args] of all(ref))
      for (const client of [ann, bootstrap])
        expect(await refused(client, name, args)).toMatch(FORBIDDEN);
  });

  test("persons with a token if the daemon permits it, but never its own token", async () => {
    const { ref, ann, bootstrap } = await identity(true);
    for (const [name, args] of all(ref))
      expect(await refused(bootstrap, name, args)).toMatch(FORBIDDEN);
    await answered(ann, "bridge_bind", { ref, connector: "files", external: "plan.md" });
    expect(await answered(ann, "bridge_pause", { ref })).toMatchObject({
      bridge: { enabled: false },
    });
    const { events } = await answered(ann, "events", { limit: 100 });
    expect(events).toContainEqual(
      expect.objectContaining({ type: "issue.external_root_paused", actor: "ann" }),
    );
  });

  test("callers with the token of a daemon that has no others", async () => {
    const files = filesConnector({ "plan.md": PLAN });
    const world = await ToolWorld.open({
      ...connectedBy(files),
      authentication: { mode: "static", token: BOOTSTRAP },
    });
    const { id } = await world.project("web");
    const { qualified_id: ref } = await world.issue(id, "an issue");
    const client = await world.serve("all");
    await answered(client, "bridge_bind", { ref, connector: "files", external: "plan.md" });
    expect(await answered(client, "connectors")).toMatchObject({ connectors: [{ healthy: true }] });
  });
});

describe("a daemon without connectors", () => {
  test("refuses every tool of bridges and fields as unavailable, and names the cure", async () => {
    const world = await ToolWorld.open();
    const { id } = await world.project("web");
    const { qualified_id: ref } = await world.issue(id, "an issue");
    const client = await world.serve("all");
    const asked = [
      ...WIDE.filter(([name]) => name !== "connectors"),
      ...OF_ISSUES.map(([name, args]) => [name, { ref, ...args }] as const),
    ];
    for (const [name, args] of asked)
      expect(await refused(client, name, { ...args, ...("ref" in args ? { ref } : {}) })).toMatch(
        /^503 unavailable: this daemon has no connectors — add a \[\[connector\]\] to /,
      );
  });

  test("has no tools of bridges if it is too old for them, as its health report says", async () => {
    const world = await ToolWorld.open();
    const available = [
      ...availableSections({
        reach: { kind: "all" },
        hasTokenAdmin: false,
        hasStorage: false,
        health: { ok: true, api_schema_version: "0.21.0", sync: {} },
      }),
    ];
    const client = await world.serve("all", { load: [], available });
    expect(await answered(client, "load_external_roots")).toMatchObject({
      ...{ available: false, loaded: false },
    });
    const called = await client.request("tools/call", {
      name: "svc.bridge_show",
      arguments: { ref: "web#ab3d" },
    });
    expect(called).toMatchObject({ error: { code: -32602 } });
  });
});

describe("a connector that fails", () => {
  test("is told with one of four texts and its code, and what a caller of tools can do", async () => {
    const failing = describedConnector("files", {
      error: { code: "access_denied", message: "account-4711 at /secret/folder" },
    });
    const world = await ToolWorld.open(connectedBy(failing));
    const { id } = await world.project("web");
    const { qualified_id: ref } = await world.issue(id, "an issue");
    const client = await world.serve("all");
    const named = { ref, connector: "files", external: "plan.md" };
    for (const [name, args] of [
      ["bridge_bind", named],
      ["connector_fields", { instance: "files" }],
    ] as const)
      expect(await refused(client, name, args)).toMatch(
        /^502 connector_error: external connector request failed: access_denied — svc\.connectors /,
      );
    expect(await refused(client, "bridge_bind", { ...named, connector: "other" })).toMatch(
      /^404 bridge_not_found: .*svc\.connectors/,
    );
  });
});
