import { z } from "zod";
import { route } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Count, Instant } from "./values.ts";

const Health = component("Health", () =>
  z.looseObject({
    ok: z.boolean().describe("false while the database cannot be reached"),
    schema_version: z.int(),
    api_schema_version: z.string().optional(),
    version: z.string(),
    uptime: z.string().describe("duration text, such as 1h30m"),
    db_path: z.string(),
    started_at: Instant(),
    idle_shutdown: z
      .looseObject({
        timeout: z.string(),
        state: z.enum(["armed", "foreground", "blocked", "stopping"]),
        deadline: Instant().optional(),
        recurring_jobs: z
          .int()
          .optional()
          .describe("enabled recurring jobs: they are delivered only while a daemon runs"),
        note: z.string().optional().describe("what the timeout means for them, and what helps"),
      })
      .optional(),
    backup: z
      .looseObject({
        interval: z.string(),
        running: z.boolean(),
        last_at: Instant().optional(),
        next_at: Instant().optional(),
        failure: z.looseObject({ at: Instant(), message: z.string() }).optional(),
      })
      .optional()
      .describe("where the daemon makes backups by itself"),
    engines: z
      .array(
        z.looseObject({
          name: z.string().describe("cron, dates, leases or backups"),
          here: z.boolean().describe("whether this daemon does it"),
          holder: z.string().describe("host/pid/mark of the daemon that does it"),
          term: z.int(),
          since: Instant(),
          until: Instant().describe("the end of the term unless it is renewed"),
          taken_from: z
            .string()
            .optional()
            .describe("the daemon whose term ran out before: it hangs or was killed"),
        }),
      )
      .optional()
      .describe("on PostgreSQL: works that one of the daemons does for all, as this one last saw"),
  }),
);

export const health = route({
  id: "health",
  method: "GET",
  path: "/health",
  access: "open",
  observational: true,
  tag: "system",
  summary: "how the daemon is",
  response: Health,
});

export const ping = route({
  id: "ping",
  method: "GET",
  path: "/ping",
  access: "open",
  observational: true,
  tag: "system",
  summary: "whether the daemon is there",
  headers: shape(() =>
    z.object({
      "x-svc-idle-keepalive": z
        .string()
        .optional()
        .describe("1: counts as foreground work for idle shutdown"),
    }),
  ),
  response: component("Ping", () =>
    z.looseObject({
      ok: z.boolean(),
      service: z.string(),
      version: z.string(),
      pid: z.int().optional(),
      commit: z.string().optional().describe("of the build; empty where it is not known"),
      built_at: z.string().optional().describe("an instant; empty where svc runs from its source"),
      schema_version: z.int().optional().describe("of the storage"),
      api_schema_version: z.string().optional(),
    }),
  ),
});

export const instance = route({
  id: "instance",
  method: "GET",
  path: "/instance",
  access: "read",
  observational: true,
  tag: "system",
  summary: "which database this daemon serves",
  response: component("Instance", () =>
    z.looseObject({
      instance_uid: z.string(),
      version: z.string(),
      schema_version: z.int(),
      last_event_id: Count().describe(
        "the newest event; what is read afterwards is at least so new, and a stream from here misses nothing",
      ),
      auth: z.looseObject({
        actor: z.string().optional(),
        close_requires_evidence: z.boolean(),
      }),
    }),
  ),
});
