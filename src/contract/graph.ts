import { z } from "zod";
import { LinkPeer, ReachableGraphNode } from "./objects.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Count, IssueRef, LinkType, Status } from "./values.ts";

const route = routesOf("graph");

export const GraphEdge = component("GraphEdge", () =>
  z.looseObject({
    from_uid: z.string().describe("the parent, the blocker, or one end of a related link"),
    to_uid: z.string(),
    kind: LinkType(),
    layout: z
      .boolean()
      .describe("false if longer paths imply this edge, so that a drawing may leave it out"),
  }),
);

export const UnresolvedRef = component("UnresolvedRef", () =>
  z.looseObject({
    uid: z.string().describe("the end of the link that this daemon has"),
    side: z.enum(["from", "to"]).describe("the end that this daemon does not have"),
    kind: LinkType(),
    other_uid: z.string(),
  }),
);

export const reachableIssueGraph = route({
  id: "reachableIssueGraph",
  method: "GET",
  path: "/projects/{project_id}/issues/{ref}/graph",
  access: "read",
  local: true,
  summary: "walk the links of an issue, across projects",
  query: shape(() =>
    z.object({
      depth: z
        .string()
        .optional()
        .describe("maximum distance in links: full (the default) or a non-negative integer"),
      hide_done: z
        .boolean()
        .optional()
        .describe(
          "leave out closed issues and what is reachable only through them; the source stays",
        ),
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
});

const Waited = component("WaitedFor", () =>
  z.looseObject({
    issue: LinkPeer().extend({ title: z.string(), status: Status(), owner: z.string().optional() }),
    waiting: Count().describe(
      "number of open issues that wait for this one, directly or through others",
    ),
    circle: z.boolean().optional().describe("true if the issue waits for itself through others"),
  }),
);

export const criticalPath = route({
  id: "criticalPath",
  method: "GET",
  path: "/projects/{project_id}/critical-path",
  access: "read",
  local: true,
  summary: "find the longest chain of open blockers, and the issues that most others wait for",
  query: shape(() =>
    z.object({
      ref: IssueRef().optional().describe("find the longest chain that ends in this issue"),
      limit: z
        .int()
        .min(0)
        .optional()
        .describe("maximum length of waited_for, default 20; 0 means all"),
    }),
  ),
  response: component("CriticalPathResponse", () =>
    z.looseObject({
      path: z.array(Waited()).describe("the chain; each issue waits for the one before it"),
      waited_for: z
        .array(Waited())
        .describe("issues that others wait for, the one with the most first"),
      waited_for_count: Count()
        .optional()
        .describe("how many issues others wait for, those that limit leaves out included"),
    }),
  ),
  errors: ["issue_not_found"],
});
