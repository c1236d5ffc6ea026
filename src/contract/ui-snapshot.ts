import { z } from "zod";
import { GraphEdge, UnresolvedRef } from "./graph.ts";
import { MAX_FILTER_VALUES, SNAPSHOT_DEFAULT_LIMIT, SNAPSHOT_MAX_LIMIT } from "./limits.ts";
import { logHeader } from "./log-mark.ts";
import { Comment, Event, IssueLabel, issueCore, Project } from "./objects.ts";
import { Recurrence } from "./recurrences.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { envelope, IfNoneMatch, TAGGED, Uid } from "./ui-objects.ts";
import { Count, Instant, LinkType, Status } from "./values.ts";

const route = routesOf("browser");

const UIIssue = component("UIIssue", () =>
  z.looseObject({ ...issueCore(), project_name: z.string(), labels: z.array(z.string()) }),
);

const UIProject = component("UIProject", () =>
  z.looseObject({
    project: Project(),
    stats: z.looseObject({ open: Count(), closed: Count(), last_event_at: Instant().optional() }),
  }),
);

const UILink = component("UILink", () =>
  z.looseObject({
    id: z.int(),
    from_issue_id: z.int(),
    from_issue_uid: z.string(),
    from_qualified_id: z.string(),
    from_status: Status(),
    to_issue_id: z.int(),
    to_issue_uid: z.string(),
    to_qualified_id: z.string(),
    to_status: Status(),
    type: LinkType(),
    author: z.string(),
    created_at: Instant(),
  }),
);

const Selected = component("UISelected", () =>
  z.looseObject({
    state: z
      .enum(["available", "archived", "missing"])
      .describe("archived: the issue is deleted, or its project is archived"),
    issue: UIIssue().optional().describe("absent if missing"),
    comments: z.array(Comment()),
    labels: z.array(IssueLabel()),
    links: z.array(UILink()).describe("links to issues that are there, by id"),
    recurrences: z.array(Recurrence()).describe("the series that the issue belongs to, if any"),
    history: z
      .array(Event())
      .describe("with include_history: the last 500 events of the issue, newest first"),
  }),
);

const UIGraph = component("UIGraph", () =>
  z.looseObject({
    issues: z.array(UIIssue()),
    links: z.array(UILink()),
    edges: z.array(GraphEdge()),
    unresolved_refs: z.array(UnresolvedRef()),
    truncated: z.boolean().optional().describe("true if more issues are connected than are shown"),
  }),
);

const strings = () => z.array(z.string()).max(MAX_FILTER_VALUES).optional();

export const readUISnapshot = route({
  id: "readUISnapshot",
  method: "GET",
  path: "/ui/snapshot",
  access: "read",
  local: true,
  summary: "read what a page shows, in one state of the database",
  query: shape(() =>
    z.object({
      view: z
        .string()
        .optional()
        .describe(
          "inbox, all-open, today, upcoming, deadlines or logbook, in any letter case; any other name filters nothing by itself; without it the project of project_uid, otherwise the inbox",
        ),
      project_uid: Uid().optional().describe("only issues of this project"),
      status: z
        .array(z.enum(["open", "closed", "all", "ready"]))
        .max(MAX_FILTER_VALUES)
        .optional()
        .describe("any of these, in place of the status of the view"),
      owner: strings().describe("any of these owners"),
      label: strings().describe("any of these labels"),
      relationship: z
        .array(z.enum(["parent", "child", "blocks", "blocked_by", "related"]))
        .max(MAX_FILTER_VALUES)
        .optional()
        .describe("issues that have any of these links to an issue that is there"),
      text: z.string().optional().describe("part of title, body or short id, in any letter case"),
      selected_issue_uid: z.string().optional().describe("fills selected"),
      include_graph: z
        .boolean()
        .optional()
        .describe(
          "fills graph: what is connected to the selected issue, otherwise to those of the collection",
        ),
      include_history: z.boolean().optional().describe("fills the history of the selected issue"),
      local_date: z
        .string()
        .optional()
        .describe("YYYY-MM-DD; required for today, upcoming and deadlines, ignored otherwise"),
      time_zone: z
        .string()
        .optional()
        .describe("IANA zone; required for today, upcoming and deadlines, ignored otherwise"),
      limit: z
        .int()
        .min(1)
        .max(SNAPSHOT_MAX_LIMIT)
        .optional()
        .describe(
          `issues of the collection, at most ${SNAPSHOT_MAX_LIMIT}; ${SNAPSHOT_DEFAULT_LIMIT} if absent`,
        ),
    }),
  ),
  headers: IfNoneMatch,
  response: component("UISnapshot", () =>
    z.looseObject({
      ...envelope(),
      catalog: z.array(UIProject()).describe("active projects by name"),
      collection: z.array(UIIssue()).describe("last changed first"),
      collection_truncated: z
        .boolean()
        .optional()
        .describe("true if more issues match; the list routes give them page by page"),
      collection_links: z
        .array(UILink())
        .describe("links of the collection's issues to issues that are there, by id"),
      selected: Selected().optional(),
      graph: UIGraph().optional(),
    }),
  ),
  responseHeaders: { ...TAGGED, ...logHeader },
  notModified: true,
  errors: ["ui_unavailable"],
});
