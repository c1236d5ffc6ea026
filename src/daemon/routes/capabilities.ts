import { getCronCapabilities as contract, FEATURES_HEADER } from "../../contract/capabilities.ts";
import { getCronCapabilities } from "../../ops/cron/capabilities.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";

export function capabilityRoutes(app: App, deps: UngatedDeps): void {
  bind(app, deps, contract, getCronCapabilities, {
    headers: ({ event_features }) => ({ [FEATURES_HEADER]: event_features.join(", ") }),
  });
}
