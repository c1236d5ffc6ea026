import { z } from "zod";
import { routesOf } from "./route.ts";
import { component } from "./shape.ts";

const route = routesOf("cron");

/**
 * Features that other daemons and adapters may rely on, sorted by name
 * (docs/contract/cron-and-inbox.md#6-capabilities). Clients use a feature as soon as it is listed, so add its name only
 * when the whole feature works.
 */
export const EVENT_FEATURES = ["cron_notify_children_v1", "cron_v1", "external_roots_v1"] as const;

export const FEATURES_HEADER = "X-Svc-Event-Features";

export const getCronCapabilities = route({
  id: "getCronCapabilities",
  method: "GET",
  path: "/projects/{project_id}/cron/capabilities",
  access: "read",
  local: true,
  summary: "list the optional features of this daemon",
  response: component("CronCapabilities", () =>
    z.looseObject({ project_uid: z.string(), event_features: z.array(z.string()) }),
  ),
  responseHeaders: { [FEATURES_HEADER]: "the features, with commas between them" },
});

/**
 * Parses the features header. A missing header does not prove that a feature is missing
 * (docs/contract/cron-and-inbox.md#6-capabilities).
 */
export function featuresOf(header: string | undefined): readonly string[] {
  return (header ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
