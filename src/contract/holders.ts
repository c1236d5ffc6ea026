import { z } from "zod";
import { cut, maxBytes } from "./budget.ts";
import { Lease } from "./leases.ts";
import { HOLDERS_DEFAULT_LIMIT, HOLDERS_MAX_LIMIT } from "./limits.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Instant, ProjectId, Status } from "./values.ts";

const route = routesOf("leases");

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
    status: Status().describe("may be closed, since a lease outlives the close of its issue"),
    owner: z
      .string()
      .optional()
      .describe("owner of the issue, who may differ from the holder of the lease"),
    since: Instant()
      .optional()
      .describe(
        "when the lease was acquired or, without a lease, when the issue got this owner; absent if the log does not say",
      ),
    lease: Lease().optional().describe("absent if the holder only owns the issue"),
    last_event: LastEvent()
      .optional()
      .describe("the holder's last event in any project; absent if the log has none"),
  }),
);

const Holders = component("Holders", () =>
  z.looseObject({
    holders: z
      .array(Holder())
      .describe(
        "one entry for each holder and issue; the holder whose last event is oldest comes first",
      ),
    truncated: z.boolean().describe("true if the limit or max_bytes left out entries"),
    count: cut().count,
    now: Instant().describe("the clock that decides when leases expire"),
  }),
);

const HoldersQuery = shape(() =>
  z.object({
    max_bytes: maxBytes(),
    limit: z
      .int()
      .positive()
      .optional()
      .describe(`default ${HOLDERS_DEFAULT_LIMIT}, at most ${HOLDERS_MAX_LIMIT}`),
  }),
);

export const listHolders = route({
  id: "listHolders",
  method: "GET",
  path: "/projects/{project_id}/holders",
  access: "read",
  local: true,
  summary: "list who leases an issue or owns an open issue in a project, with their last event",
  query: HoldersQuery,
  response: Holders,
});

export const listHoldersGlobal = route({
  id: "listHoldersGlobal",
  method: "GET",
  path: "/holders",
  access: "read",
  local: true,
  summary: "list who leases an issue or owns an open issue in any project, with their last event",
  query: HoldersQuery,
  response: Holders,
});
