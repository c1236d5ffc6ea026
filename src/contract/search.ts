import { z } from "zod";
import { cut, fields, maxBytes } from "./budget.ts";
import { IssueOut, LinkPeer, ReadyGlobalIssueOut } from "./objects.ts";
import { routesOf } from "./route.ts";
import { component, type OutputOf, shape } from "./shape.ts";
import {
  AsOf,
  At,
  detailFilters,
  familyFilters,
  Instant,
  Limit,
  ListPlace,
  labelFilters,
  originFilters,
  ownerFilters,
  Status,
  stateFilters,
} from "./values.ts";

const route = routesOf("search and readiness");

export const searchIssues = route({
  id: "searchIssues",
  method: "GET",
  path: "/projects/{project_id}/search",
  access: "read",
  local: true,
  summary: "search titles, bodies and comments",
  query: shape(() =>
    z.object({
      q: z.string().refine((text) => text.trim() !== "", "must not be blank"),
      limit: z.int().optional().describe("default 20, at most 200"),
      include_deleted: z.boolean().optional(),
      mode: z.enum(["auto", "lexical", "hybrid", "semantic", ""]).optional(),
      ...stateFilters(),
      ...ownerFilters(),
      ...labelFilters(),
      ...familyFilters(),
      ...originFilters(),
      ...detailFilters(),
      fields: fields(),
      max_bytes: maxBytes(),
    }),
  ),
  response: component("SearchResponse", () =>
    z.looseObject({
      ...cut(),
      query: z.string(),
      mode: z.enum(["lexical", "hybrid", "semantic"]).describe("the mode that the search used"),
      degraded: z.boolean().optional(),
      degraded_reason: z.string().optional(),
      results: z.array(
        z.looseObject({
          issue: IssueOut(),
          score: z.number().describe("higher is better; not comparable between queries"),
          matched_in: z.array(z.enum(["title", "body", "comments", "semantic"])),
          matched: z
            .enum(["id", "words", "forms", "some", "near"])
            .optional()
            .describe(
              "how the words were found, best first: the query is an id of the issue; all words as typed; all words by stem, prefix or part; and last, in the same rank, some of the words, or words that differ by one letter",
            ),
          excerpt: z
            .string()
            .optional()
            .describe("the place in the body or the comments that matched"),
        }),
      ),
    }),
  ),
});

const ReadyQuery = shape(() =>
  z.object({
    limit: Limit(),
    ...ownerFilters(),
    ...labelFilters(),
    ...familyFilters(),
    ...originFilters(),
    containers: z
      .boolean()
      .optional()
      .describe("include issues that are held back only by their own open children"),
    order: z
      .enum(["recent", "take"])
      .optional()
      .describe(
        "recent (default): what changed last first; take: the order in which ready issues are taken, the highest priority first, among equals what changed last",
      ),
    takeable_by: z
      .string()
      .trim()
      .min(1)
      .optional()
      .describe(
        "only issues that this actor may take: without an owner or with this one, and leased by nobody; cannot be combined with at",
      ),
    at: At(),
    after: ListPlace().optional(),
    fields: fields(),
    max_bytes: maxBytes(),
  }),
);

const Page = () => ({
  as_of: AsOf(),
  next_after: z
    .string()
    .optional()
    .describe("present with `after` or `max_bytes` while there is another page: its `after`"),
  ...cut(),
});

/**
 * The order in which the answer lists the issues. Older daemons ignore the requested order, list the issues in the
 * order `recent`, and leave this field out.
 */
const GivenOrder = () =>
  z.enum(["recent", "take"]).optional().describe("the order that was asked for");

export const readyIssues = route({
  id: "readyIssues",
  method: "GET",
  path: "/projects/{project_id}/ready",
  access: "read",
  local: true,
  summary: "list the ready issues of a project",
  query: ReadyQuery,
  response: component("ReadyResponse", () =>
    z.looseObject({ issues: z.array(IssueOut()), order: GivenOrder(), ...Page() }),
  ),
});

export const readyIssuesGlobal = route({
  id: "readyIssuesGlobal",
  method: "GET",
  path: "/ready",
  access: "read",
  local: true,
  summary: "list the ready issues of every project",
  query: ReadyQuery,
  response: component("ReadyGlobalResponse", () =>
    z.looseObject({ issues: z.array(ReadyGlobalIssueOut()), order: GivenOrder(), ...Page() }),
  ),
});

/** One step of a chain: an issue that holds another one back, with the reasons why it is itself not ready. */
export interface WhyCause {
  readonly issue: OutputOf<typeof WhyIssueRef>;
  readonly because: readonly WhyReason[];
}

/**
 * Why an open issue is not ready (docs/contract/http-api.md#62-readiness). `reason` decides which other fields are set.
 */
export interface WhyReason {
  readonly reason: "blocked" | "parked" | "scheduled" | "open_children" | "held" | "closed";
  /** Set for `blocked`: the open issues that block the issue. */
  readonly blockers?: readonly WhyCause[] | undefined;
  /** Set for `parked` if an import parked the issue: the tracker and its word, such as `beads: status hooked`. */
  readonly by_source?: string | undefined;
  /** Set for `scheduled`: the instant from which the issue is ready. */
  readonly until?: string | undefined;
  /** Set for `open_children`: the open children of the issue. */
  readonly children?: readonly OutputOf<typeof WhyIssueRef>[] | undefined;
  /** Set for `held`: the parent that holds the issue back. */
  readonly parent?: WhyCause | undefined;
}

const WhyIssueRef = component("WhyIssueRef", () =>
  LinkPeer().extend({ title: z.string(), status: Status(), owner: z.string().optional() }),
);

const Cause = component(
  "WhyCause",
  (): z.ZodType<WhyCause> =>
    z.looseObject({
      issue: WhyIssueRef(),
      get because() {
        return z.array(Reason());
      },
    }),
);

const Reason = component(
  "WhyReason",
  (): z.ZodType<WhyReason> =>
    z.looseObject({
      reason: z.enum(["blocked", "parked", "scheduled", "open_children", "held", "closed"]),
      get blockers() {
        return z.array(Cause()).optional();
      },
      by_source: z
        .string()
        .optional()
        .describe("set for parked if an import parked the issue: the tracker and its word for it"),
      until: Instant().optional(),
      children: z.array(WhyIssueRef()).optional(),
      get parent() {
        return Cause().optional();
      },
    }),
);

export const whyIssue = route({
  id: "whyIssue",
  method: "GET",
  path: "/projects/{project_id}/issues/{ref}/why",
  access: "read",
  local: true,
  summary: "explain why an issue is not ready, down to the issues that can be worked on",
  response: component("WhyResponse", () =>
    z.looseObject({
      issue: WhyIssueRef(),
      ready: z.boolean(),
      reasons: z.array(Reason()).describe("empty if and only if the issue is ready"),
      circle: z
        .looseObject({
          issues: z
            .array(WhyIssueRef())
            .describe("each waits for the next, and the last one for the first"),
          blocker_uid: z
            .string()
            .describe("blocks blocked_uid; without this link the circle is none"),
          blocked_uid: z.string(),
        })
        .optional()
        .describe(
          "set if the issue is in a circle of issues that wait for each other, or waits for one",
        ),
    }),
  ),
});
