import { z } from "zod";
import { logHeader } from "./log-mark.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Count, Instant } from "./values.ts";

const route = routesOf("system");

/**
 * Why a configured mapping of federation was not reconciled. The report does not name the mapping
 * (docs/contract/http-api.md#30-shared-objects, Health).
 */
const MAPPING_ERRORS = [
  "configuration_conflict",
  "binding_conflict",
  "credential_io",
  "hub_unavailable",
  "hub_authentication",
  "hub_validation",
  "local_storage",
  "internal",
] as const;

export type MappingError = (typeof MAPPING_ERRORS)[number];

/** How far the index of meanings is, and how the provider answers. Nothing of the provider's text is shown. */
export const embeddingsFields = () => ({
  configured: z.boolean().describe("whether config.toml names a provider ([search.embeddings])"),
  embedded: Count().describe("issues whose present text is in the index"),
  skipped: Count().describe("issues whose present text the provider refused"),
  backlog: Count().describe(
    "issues that are missing in the index, or that changed since; skipped ones are not counted",
  ),
  error_present: z
    .boolean()
    .describe("whether the last call of the provider failed, or the last use of the index"),
  index_failed: z
    .boolean()
    .optional()
    .describe("true if the index could not be read or written, as when the disk is full"),
  last_success_at: Instant().optional().describe("when the provider last answered as it should"),
  last_error_status: z
    .int()
    .optional()
    .describe(
      "the HTTP status of the last call, if it failed; absent if there was no answer, and after a success",
    ),
  last_progress_at: Instant().optional().describe("when an issue was last embedded"),
  rate_per_second: z.number().optional().describe("issues per second, while issues are embedded"),
  eta_seconds: z.int().optional().describe("how long the backlog takes at this rate"),
  started_at: Instant().optional().describe("when the backlog began to be worked off"),
});

const Health = component("Health", () =>
  z.looseObject({
    ok: z.boolean().describe("false if the database does not answer reads and writes"),
    fault: z.string().optional().describe("what is wrong if `ok` is false"),
    schema_version: z.int(),
    api_schema_version: z.string().optional(),
    version: z.string(),
    uptime: z.string().describe("a duration such as 1h30m"),
    db_path: z
      .string()
      .describe("location of the database; its last part only in an answer to another machine"),
    started_at: Instant(),
    idle_shutdown: z
      .looseObject({
        timeout: z.string(),
        state: z.enum(["armed", "foreground", "blocked", "stopping"]),
        deadline: Instant().optional(),
        recurring_jobs: z
          .int()
          .optional()
          .describe(
            "number of enabled recurring jobs, which are delivered only while a daemon runs",
          ),
        note: z
          .string()
          .optional()
          .describe("what the idle timeout means for these jobs, and the remedy"),
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
      .describe("present if the daemon makes backups by itself"),
    backup_verification: z
      .looseObject({
        interval: z.string(),
        running: z.boolean(),
        state: z
          .enum(["ok", "failed", "unknown"])
          .describe("what the last verification found; unknown until there was one"),
        file: z
          .string()
          .optional()
          .describe(
            "the backup that was verified; its last part only in an answer to another machine",
          ),
        at: Instant().optional().describe("when it was verified"),
        message: z
          .string()
          .optional()
          .describe("why the verification failed, or why there was none"),
        next_at: Instant().optional(),
      })
      .optional()
      .describe(
        "present if the daemon verifies backups by itself: it restores the newest one into a scratch database",
      ),
    sync: z
      .looseObject({
        enabled: Count().describe("bindings of active projects that are enabled"),
        failing: Count().describe("those of them whose last run failed"),
        running: z.boolean().describe("whether this daemon reads a repository now"),
      })
      .optional()
      .describe("issues that are read from a code host, as the last look for due runs found them"),
    federation: z
      .looseObject({
        hub: Count().optional().describe("enabled projects that other daemons may copy"),
        spoke: Count().optional().describe("enabled copies of projects of other daemons"),
        disabled: Count().optional().describe("federated projects whose binding is disabled"),
        failing: Count()
          .optional()
          .describe("copies whose hub this daemon could not read when it last tried"),
        running: z.boolean().optional().describe("whether this daemon reads a hub now"),
      })
      .optional()
      .describe("federated projects; the counts are absent while the database cannot be read"),
    federation_config: z
      .looseObject({
        configured: Count().describe(
          "mappings in config.toml, as the daemon read them at its start",
        ),
        reconciled: Count().describe("those whose project has the binding that they ask for"),
        pending: Count().describe("those that wait for their first attempt, or for the next one"),
        conflicted: Count().describe(
          "those whose last attempt found another configuration, token or binding; they are attempted again",
        ),
        last_attempt_at: Instant().optional(),
        last_success_at: Instant().optional(),
        last_error_category: z
          .enum(MAPPING_ERRORS)
          .optional()
          .describe("of the last attempt that failed; absent while none has"),
        last_error_status: z
          .int()
          .optional()
          .describe("the HTTP status with which the hub refused that attempt, if it did"),
      })
      .optional()
      .describe(
        "present if config.toml has mappings ([[federation.project]]); `ok` is true anyway",
      ),
    embeddings: z
      .looseObject(embeddingsFields())
      .optional()
      .describe(
        "search by meaning; present if config.toml names a provider; `ok` is true anyway (API 0.21.0)",
      ),
    connectors: z
      .looseObject({
        configured: Count().describe(
          "[[connector]] entries of config.toml, as the daemon read them at its start",
        ),
      })
      .optional()
      .describe("connections to other trackers; present if config.toml has any (API 0.22.0)"),
    bridges: z
      .looseObject({
        enabled: Count().describe("bridges that are not paused"),
        failing: Count().describe("those of them whose last run failed"),
        running: Count().describe("runs that this daemon began by itself and that are under way"),
      })
      .optional()
      .describe(
        "ties of issues to records of other trackers, as the last scan found them; present if config.toml has connectors (API 0.22.0)",
      ),
    engines: z
      .array(
        z.looseObject({
          name: z
            .string()
            .describe(
              "bridges, cron, dates, embeddings, issue_sync, leases, backups or trials (verifications of backups)",
            ),
          here: z.boolean().describe("whether this daemon runs the engine"),
          holder: z.string().describe("host/pid/mark of the daemon that runs the engine"),
          term: z.int(),
          since: Instant(),
          until: Instant().describe("end of the term unless the daemon renews it"),
          taken_from: z
            .string()
            .optional()
            .describe("the previous daemon, if its term expired because it hung or was killed"),
        }),
      )
      .optional()
      .describe(
        "on PostgreSQL: the engines that one daemon runs for all, as this daemon last saw them",
      ),
  }),
);

export const health = route({
  id: "health",
  method: "GET",
  path: "/health",
  access: "open",
  observational: true,
  summary: "report the state of the daemon and its database",
  response: Health,
});

export const ping = route({
  id: "ping",
  method: "GET",
  path: "/ping",
  access: "open",
  observational: true,
  summary: "check that the daemon answers",
  headers: shape(() =>
    z.object({
      "x-svc-idle-keepalive": z
        .string()
        .optional()
        .describe("1 makes the request count as activity that delays idle shutdown"),
    }),
  ),
  response: component("Ping", () =>
    z.looseObject({
      ok: z.boolean(),
      service: z.string(),
      version: z.string(),
      pid: z.int().optional(),
      commit: z.string().optional().describe("commit of the build; empty if unknown"),
      built_at: z
        .string()
        .optional()
        .describe("instant of the build; empty if svc runs from source"),
      schema_version: z.int().optional().describe("version of the database schema"),
      api_schema_version: z.string().optional(),
    }),
  ),
});

export const instance = route({
  id: "instance",
  method: "GET",
  path: "/instance",
  access: "read",
  local: true,
  observational: true,
  summary: "identify the database that this daemon serves",
  response: component("Instance", () =>
    z.looseObject({
      instance_uid: z.string(),
      version: z.string(),
      schema_version: z.int(),
      last_event_id: Count().describe(
        "id of the newest event; later reads include it, and a stream that starts here misses nothing",
      ),
      epoch: z.string().optional().describe("the epoch of the log, as in X-Svc-Log (API 0.19.0)"),
      chain: z
        .string()
        .optional()
        .describe("the chain of the newest event; absent if it was purged (API 0.19.0)"),
      auth: z.looseObject({
        actor: z.string().optional(),
        close_requires_evidence: z.boolean(),
        read_only: z
          .string()
          .optional()
          .describe(
            "why every write of this caller is refused, with the cure; absent if it may write",
          ),
      }),
    }),
  ),
  responseHeaders: logHeader,
});
