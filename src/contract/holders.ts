import { z } from "zod";
import { Lease } from "./leases.ts";
import { HOLDERS_DEFAULT_LIMIT, HOLDERS_MAX_LIMIT } from "./limits.ts";
import { route } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Instant, ProjectId, ProjectParams, Status } from "./values.ts";

const tag = "leases";

const LastEvent = component("HolderLastEvent", () =>
  z.looseObject({
    id: z.int(),
    type: z.string(),
    created_at: Instant(),
    issue_uid: z.string().optional(),
  }),
);

const Holder = component("Holder", () =>
  z.looseObject({
    holder: z.string(),
    project_id: ProjectId(),
    project: z.string(),
    issue_uid: z.string(),
    ref: z.string().describe("project#short_id"),
    title: z.string(),
    status: Status().describe("a lease outlives the close of its issue"),
    owner: z.string().optional().describe("of the issue, who may be another than who leases it"),
    since: Instant()
      .optional()
      .describe(
        "when the lease was acquired, or else the issue got this owner; absent: the log does not tell",
      ),
    lease: Lease().optional().describe("absent: the holder only owns the issue"),
    last_event: LastEvent()
      .optional()
      .describe("what the holder did last, in any project; absent: nothing that the log knows"),
  }),
);

const Holders = component("Holders", () =>
  z.looseObject({
    holders: z
      .array(Holder())
      .describe("one for each holder and issue; of whom nothing was heard the longest first"),
    truncated: z.boolean().describe("there are more"),
    now: Instant().describe("the time by which leases run out"),
  }),
);

const HoldersQuery = shape(() =>
  z.object({
    limit: z
      .int()
      .positive()
      .optional()
      .describe(`${HOLDERS_DEFAULT_LIMIT} unless said, at most ${HOLDERS_MAX_LIMIT}`),
  }),
);

export const listHolders = route({
  id: "listHolders",
  method: "GET",
  path: "/projects/{project_id}/holders",
  access: "read",
  tag,
  summary: "list who leases an issue of a project or owns an open one, and what they did last",
  params: ProjectParams,
  query: HoldersQuery,
  response: Holders,
  errors: ["project_not_found"],
});

export const listHoldersGlobal = route({
  id: "listHoldersGlobal",
  method: "GET",
  path: "/holders",
  access: "read",
  tag,
  summary: "list who leases an issue or owns an open one in any project, and what they did last",
  query: HoldersQuery,
  response: Holders,
});
