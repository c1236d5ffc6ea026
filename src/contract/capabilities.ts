import { z } from "zod";
import { route } from "./route.ts";
import { component } from "./shape.ts";
import { ProjectParams } from "./values.ts";

/**
 * What other daemons and adapters may rely on besides the ordinary events, by name in order (doc 2, Versioning). A
 * name is added when all that it stands for works: who reads it sends what needs it.
 */
export const EVENT_FEATURES = ["cron_notify_children_v1", "cron_v1"] as const;

export const FEATURES_HEADER = "X-Svc-Event-Features";

export const getCronCapabilities = route({
  id: "getCronCapabilities",
  method: "GET",
  path: "/projects/{project_id}/cron/capabilities",
  access: "read",
  tag: "cron",
  summary: "list the optional features of this daemon",
  params: ProjectParams,
  response: component("CronCapabilities", () =>
    z.looseObject({ project_uid: z.string(), event_features: z.array(z.string()) }),
  ),
  responseHeaders: { [FEATURES_HEADER]: "the features, with commas between them" },
  errors: ["project_not_found"],
});

/** The features of a header; without one nothing is advertised, which is no proof of anything (facts cron-and-inbox 6). */
export function featuresOf(header: string | undefined): readonly string[] {
  return (header ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
