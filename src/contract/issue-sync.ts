import { z } from "zod";
import { MAX_SYNC_INTERVAL_SECONDS } from "./limits.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Count, Instant, ProjectId } from "./values.ts";

const route = routesOf("issue sync");

const params = shape(() =>
  z.object({
    project_id: ProjectId(),
    provider: z.string().describe("the code host that issues are read from: github"),
  }),
);

const text = () => z.string().trim().min(1).max(255);

const Config = component("IssueSyncConfig", () =>
  z.looseObject({
    host: z.string(),
    owner: z.string(),
    repo: z.string(),
    title_prefix: z.boolean().describe("whether titles begin with the number of the issue there"),
  }),
);

const Binding = component("IssueSyncBinding", () =>
  z.looseObject({
    id: z.int().describe("that of the project, since a project has one binding at most"),
    project_id: z.int(),
    provider: z.string(),
    source_key: z.string().describe("the source under which svc remembers the imported issues"),
    remote_id: z.string().describe("the lasting id of the repository"),
    display_name: z.string().describe("owner/repo, as the host spells it"),
    config: Config(),
    enabled: z.boolean(),
    interval_seconds: z.int(),
    last_cursor_at: Instant()
      .optional()
      .describe("the next run asks for what changed since then; absent if it reads everything"),
    created_at: Instant(),
    updated_at: Instant(),
  }),
);

const Status = component("IssueSyncStatus", () =>
  z.looseObject({
    binding_id: z.int().describe("0 without a binding"),
    project_id: z.int(),
    provider: z.string(),
    enabled: z.boolean(),
    state: z.enum(["not_enabled", "disabled", "running", "enabled"]),
    sync_started_at: Instant().optional().describe("start of the run that is under way"),
    last_attempt_at: Instant().optional(),
    last_success_at: Instant().optional(),
    last_error_at: Instant().optional(),
    last_error: z.string().optional().describe("why the last run failed; absent if it did not"),
    last_created: Count().describe("of the last successful run, as the counts that follow"),
    last_updated: Count(),
    last_unchanged: Count(),
    last_comments: Count(),
    next_attempt_at: Instant().optional().describe("when the next run is due, unless one runs"),
  }),
);

const Import = component("IssueSyncImport", () =>
  z.looseObject({
    source: z.string(),
    sync_uid: z
      .string()
      .describe("marks the events of the run; svc import undo takes the run back by it"),
    created: Count(),
    updated: Count(),
    unchanged: Count(),
    comments: Count().describe("number of comments added"),
    links: Count().describe("number of links added"),
    requests: Count().describe("requests that were sent to the host"),
    waited_ms: Count().describe("time spent waiting because the host asked for it or failed"),
    items: z
      .array(
        z.looseObject({
          external_id: z.string(),
          issue_short_id: z.string(),
          status: z.enum(["created", "updated", "unchanged"]),
          reason: z.string().optional().describe("why an issue that differs was not updated"),
        }),
      )
      .describe("what was created or updated, and what was kept for a reason; the first of them"),
    errors: z
      .array(z.string())
      .describe("links that could not be made, and why; the first of them"),
  }),
);

const Answer = { binding: () => Binding(), status: () => Status() };

/**
 * Binds a project to a repository and lets the daemon read its issues from now on. Everything is read with the
 * credentials of the daemon, and nothing is written there.
 */
export const enableIssueSync = route({
  id: "enableIssueSync",
  lengthy: true,
  method: "POST",
  path: "/projects/{project_id}/issue-sync/{provider}/enable",
  access: "write",
  summary: "read the issues of a repository into the project from now on",
  params,
  body: component("EnableIssueSyncRequest", () =>
    z.strictObject({
      config: z.strictObject({
        host: text().optional().describe("default: the public host"),
        owner: text(),
        repo: text(),
        title_prefix: z
          .boolean()
          .optional()
          .describe("default: as it was, at first true; false keeps titles as they are there"),
      }),
      interval: z
        .union([z.string(), z.int()])
        .optional()
        .describe("time between two runs, such as 5m, or in seconds; default 5m"),
      interval_seconds: z
        .int()
        .optional()
        .describe(`the same in seconds, 1 to ${MAX_SYNC_INTERVAL_SECONDS}; not beside interval`),
    }),
  ),
  response: component("EnableIssueSyncResponse", () =>
    z.looseObject({ binding: Answer.binding(), status: Answer.status() }),
  ),
  errors: [
    "issue_sync_binding_changed",
    "issue_sync_federation_conflict",
    "issue_sync_repository_forbidden",
    "external_root_conflict",
  ],
});

export const disableIssueSync = route({
  id: "disableIssueSync",
  method: "POST",
  path: "/projects/{project_id}/issue-sync/{provider}/disable",
  access: "write",
  summary: "stop reading issues; the binding and the issues stay, and enabling it resumes",
  params,
  body: component("DisableIssueSyncRequest", () => z.strictObject({})),
  response: component("DisableIssueSyncResponse", () =>
    z.looseObject({ binding: Answer.binding(), status: Answer.status() }),
  ),
  errors: ["issue_sync_not_found"],
});

export const getIssueSyncStatus = route({
  id: "getIssueSyncStatus",
  method: "GET",
  path: "/projects/{project_id}/issue-sync/{provider}/status",
  access: "read",
  summary: "show the repository that the project reads from, and how the last run went",
  params,
  response: component("IssueSyncStatusResponse", () =>
    z.looseObject({
      binding: Answer.binding().optional().describe("absent in the state not_enabled"),
      status: Answer.status(),
    }),
  ),
});

export const runIssueSyncOnce = route({
  id: "runIssueSyncOnce",
  lengthy: true,
  method: "POST",
  path: "/projects/{project_id}/issue-sync/{provider}/once",
  access: "write",
  summary: "read the repository now, whenever the next run is due, and answer when it is done",
  params,
  body: component("RunIssueSyncOnceRequest", () =>
    z.strictObject({
      parents: z
        .boolean()
        .optional()
        .describe("ask for the parent of every issue too, with a request for each 100 issues"),
    }),
  ),
  response: component("RunIssueSyncOnceResponse", () =>
    z.looseObject({
      binding: Answer.binding(),
      status: Answer.status(),
      import: Import(),
    }),
  ),
  errors: ["issue_sync_already_running", "issue_sync_binding_changed", "issue_sync_failed"],
});

/** For each enabled binding: whether a run could begin. */
const Tested = component("IssueSyncTested", () =>
  z.looseObject({
    project: z.string().describe("name of the project"),
    provider: z.string(),
    host: z.string(),
    display_name: z.string().describe("owner/repo"),
    result: z
      .enum(["ok", "failed", "untested"])
      .describe("untested: the time of the request was over before"),
    category: z.string().optional().describe("of a failure: the first word of last_error"),
    message: z.string().optional().describe("why it failed"),
    hint: z.string().optional().describe("what to do about it"),
  }),
);

/**
 * Sends each host the first question of a run, with the credentials of the daemon. Nothing is read into a project, and
 * no status changes.
 */
export const testIssueSync = route({
  id: "testIssueSync",
  method: "POST",
  path: "/issue-sync/actions/test",
  access: "write",
  summary:
    "ask the hosts of enabled bindings for their repositories, to test credentials and hosts",
  body: component("TestIssueSyncRequest", () => z.strictObject({})),
  response: component("TestIssueSyncResponse", () =>
    z.looseObject({
      tested: z.array(Tested()).describe("the enabled bindings of active projects; at most 1000"),
    }),
  ),
});
