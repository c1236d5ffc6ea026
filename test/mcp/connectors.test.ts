import { expect, test } from "vitest";
import { call } from "../../src/client/call.ts";
import { health } from "../../src/contract/health.ts";
import { availableSections } from "../../src/mcp/available.ts";
import { describedConnector } from "../connectors/described.ts";
import { ToolWorld } from "./tools.ts";

async function opened() {
  const failing = { error: { code: "access_denied", message: "no" } };
  const connectors = [describedConnector("files"), describedConnector("tickets", failing)];
  const entries = connectors.map(({ entry }) => entry);
  const world = await ToolWorld.open({ connectors: { entries, environment: {} } });
  await world.project("web");
  return world;
}

test("the tools for other trackers can be loaded if the daemon has connectors", async () => {
  const world = await opened();
  const conditions = { reach: { kind: "all" }, hasTokenAdmin: false, hasStorage: false } as const;
  const report = await call(world.client, health, {});
  expect([...availableSections({ ...conditions, health: report })]).toContain("external_roots");
});

test("svc.connectors shows how each connector answers, or one of them, to a server with all projects", async () => {
  const world = await opened();
  const client = await world.serve("all");
  const failing = {
    ...{ instance_id: "tickets", healthy: false },
    health_error: "external connector request failed: access_denied",
  };
  expect((await client.call("svc.connectors")).answer).toMatchObject({
    connectors: [{ instance_id: "files", healthy: true, connector_id: "files" }, failing],
  });
  const { answer } = await client.call("svc.connectors", { instance: "tickets" });
  expect(answer).toEqual({ connectors: [failing] });
  const missing = await client.call("svc.connectors", { instance: "other" });
  expect(missing.failure).toContain("there is no such bridge or connector");
  const bound = await world.serve("web");
  expect((await bound.call("svc.connectors")).failure).toBe(
    "svc.connectors requires --all-projects",
  );
});

test("svc.connectors of a daemon without connectors shows an empty list", async () => {
  const world = await ToolWorld.open();
  const client = await world.serve("all");
  expect((await client.call("svc.connectors")).answer).toEqual({ connectors: [] });
});
