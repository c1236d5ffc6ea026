import { z } from "zod";
import { LinkPeer, ReachableGraphNode } from "./objects.ts";
import { route } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Count, IssueParams, IssueRef, LinkType, ProjectParams, Status } from "./values.ts";

const tag = "graph";

const GraphEdge = component("GraphEdge", () =>
  z.looseObject({
    from_uid: z.string().describe("parent, blocker, or the first end of a related link"),
    to_uid: z.string(),
    kind: LinkType(),
    layout: z
      .boolean()
      .describe("false: other edges say the same, so a drawing may leave this one out"),
  }),
);

const UnresolvedRef = component("UnresolvedRef", () =>
  z.looseObject({
    uid: z.string().describe("the end that is there"),
    side: z.enum(["from", "to"]).describe("which end is missing"),
    kind: LinkType(),
    other_uid: z.string(),
  }),
);

export const reachableIssueGraph = route({
  id: "reachableIssueGraph",
  method: "GET",
  path: "/projects/{project_id}/issues/{ref}/graph",
  access: "read",
  tag,
  summary: "walk the links of an issue, across projects",
  params: IssueParams,
  query: shape(() =>
    z.object({
      depth: z
        .string()
        .optional()
        .describe("how many links away: full (unless said) or a non-negative integer"),
      hide_done: z
        .boolean()
        .optional()
        .describe("leave out closed issues and what only they lead to; the source stays"),
    }),
  ),
  response: component("IssueGraph", () =>
    z.looseObject({
      source_uid: z.string(),
      depth: z.union([z.literal("full"), Count()]),
      hide_done: z.boolean(),
      nodes: z.array(ReachableGraphNode()),
      edges: z.array(GraphEdge()),
      unresolved_refs: z.array(UnresolvedRef()),
    }),
  ),
  errors: ["project_not_found", "issue_not_found"],
});

const Waited = component("WaitedFor", () =>
  z.looseObject({
    issue: LinkPeer().extend({ title: z.string(), status: Status(), owner: z.string().optional() }),
    waiting: Count().describe("open issues that wait for it, directly or through others"),
    circle: z.boolean().optional().describe("true: it waits for itself through others"),
  }),
);

export const criticalPath = route({
  id: "criticalPath",
  method: "GET",
  path: "/projects/{project_id}/critical-path",
  access: "read",
  tag,
  summary: "find the longest chain of open blockers, and what most issues wait for",
  params: ProjectParams,
  query: shape(() =>
    z.object({
      ref: IssueRef().optional().describe("the chain that ends in this issue"),
      limit: z.int().min(0).optional().describe("rows of waited_for: 20 unless said, 0 is all"),
    }),
  ),
  response: component("CriticalPathResponse", () =>
    z.looseObject({
      path: z.array(Waited()).describe("each waits for the one before it"),
      waited_for: z.array(Waited()).describe("most waited for first"),
    }),
  ),
  errors: ["project_not_found", "issue_not_found"],
});
