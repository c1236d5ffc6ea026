import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { readCatalog } from "../../../src/config/catalog.ts";
import { credentialsPath } from "../../../src/config/credentials.ts";
import type { createFederationReplica } from "../../../src/contract/federation-replicas.ts";
import type { Input } from "../../../src/contract/route.ts";
import { replicaSettingsFrom } from "../../../src/daemon/replicas.ts";
import { type OpenStore, type WorldOptions, world } from "../../support/world.ts";

export const HUB_UID = "01J0000000000000000000HXB1";
export const TOKEN = "svc_fed_0123456789-0123456789-0123456789";

/** What `svc federation join` sends, if nothing else is asked for. */
export const JOIN: Input<typeof createFederationReplica>["body"] = {
  hub_url: "https://hub.example/tracker/",
  hub_project_id: 7,
  hub_project_uid: HUB_UID,
  project_name: "shared",
  replay_horizon_event_id: 40,
  baseline_through_event_id: 44,
  token: TOKEN,
  actor: "sam",
};

/** The `[[daemon]]` entries of the config.toml of these worlds. */
const CATALOG = [
  { name: "moved", url: "https://moved.example", token: "catalog-0123456789" },
  { name: "behind", url: "https://proxy.example/svc/" },
  { name: "plain", url: "http://plain.example", allow_insecure: true },
  { name: "here", url: "https://127.0.0.1:7777" },
  { name: "own", local: true },
];

/** A world with a home of its own, whose daemon listens on port 7777. */
export async function spoke(open: OpenStore, more: Partial<WorldOptions> = {}) {
  const home = mkdtempSync(join(tmpdir(), "svc-spoke-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const settings = { trustPrivateNetwork: false } as never;
  const listeners = [{ host: "127.0.0.1", port: 7777 }];
  const catalog = readCatalog(CATALOG, "config.toml");
  const replicas = replicaSettingsFrom({ settings, home, catalog }, listeners);
  const w = await world({ store: open, replicas, ...more });
  return { w, home, replicas, file: credentialsPath(home), credentials: replicas.credentials };
}

export type Spoke = Awaited<ReturnType<typeof spoke>>;
