import { z } from "zod";
import { isDotSegment } from "../base/dot-segment.ts";
import { isPlainObject, type JsonObject } from "../base/json.ts";
import { isInvisible } from "../base/visible.ts";
import { ACTOR_RULE, brokenActorRule } from "./actor-name.ts";
import { DOTS_RULE, LABEL, LABEL_RULE } from "./label.ts";
import {
  MAX_ACTOR_BYTES,
  MAX_FILTER_VALUES,
  MAX_PRIORITY,
  MAX_PROJECT_NAME_BYTES,
  MAX_TEAMMATE_CHARACTERS,
  MAX_TITLE_CHARACTERS,
} from "./limits.ts";
import { shape } from "./shape.ts";

/** This file has the values that many routes share (docs/contract/http-api.md#4-values). */

export const ProjectId = shape(() =>
  z.int().positive().describe("local id of the project on this daemon"),
);

export const ProjectParams = shape(() => z.object({ project_id: ProjectId() }));

/**
 * The op parses the ref, and answers 404 `issue_not_found` for a text that is not a ref
 * (docs/contract/http-api.md#45-refs-and-ids).
 */
export const IssueRef = shape(() =>
  z.string().describe("short id, project#short_id (the # as %23) or uid"),
);

export const IssueParams = shape(() => z.object({ project_id: ProjectId(), ref: IssueRef() }));

/** How answers write an instant: UTC with milliseconds. */
export const Instant = shape(() => z.string().meta({ format: "date-time" }));

/** The options for one rule of a schema. With `abort`, later rules are not checked after this one was broken. */
const rule = (error: string) => ({ error, abort: true });

/** Refuses NUL: SQLite would cut the text there, and PostgreSQL would refuse it. */
const text = () =>
  z.string().refine((value) => !value.includes("\u0000"), rule("must not contain NUL"));

/** Text with at least one visible character. */
const filled = () => text().refine((value) => !isInvisible(value), rule("must not be blank"));

const encoder = new TextEncoder();

/** A trimmed text with a maximum in bytes. JSON Schema cannot count bytes, so only descriptions name the maximum. */
export const handle = (max: number) =>
  text()
    .trim()
    .refine(
      (value) => value.length * 3 <= max || encoder.encode(value).length <= max,
      rule(`must be at most ${max} bytes`),
    );

export const visibleHandle = (max: number) =>
  handle(max).refine((value) => !isInvisible(value), rule("must not be blank"));

const visibleOrNone = (max: number) =>
  handle(max).refine((value) => value === "" || !isInvisible(value), rule("must not be blank"));

const actorOrNone = () =>
  handle(MAX_ACTOR_BYTES).refine((value) => value === "" || brokenActorRule(value) === undefined, {
    error: ({ input }) => brokenActorRule(String(input)),
    abort: true,
  });

/** The name of an actor in a new write. Names in existing data may break the rule. */
export const ActorName = shape(() =>
  actorOrNone()
    .refine((value) => value !== "", rule("must not be blank"))
    .meta({ minLength: 1, description: `at most ${MAX_ACTOR_BYTES} bytes; ${ACTOR_RULE}` }),
);

/** The name of an owner or author. It must not be empty. */
export const Owner = shape(() =>
  visibleHandle(MAX_ACTOR_BYTES).meta({
    minLength: 1,
    description: `at most ${MAX_ACTOR_BYTES} bytes`,
  }),
);

/** The name of an existing owner or author. It may be invisible, since older versions of svc accepted such names. */
export const KnownOwner = shape(() =>
  handle(MAX_ACTOR_BYTES)
    .refine((value) => value !== "", rule("must not be blank"))
    .meta({ minLength: 1, description: `at most ${MAX_ACTOR_BYTES} bytes` }),
);

export const OwnerOrNone = shape(() =>
  visibleOrNone(MAX_ACTOR_BYTES).describe(`at most ${MAX_ACTOR_BYTES} bytes; empty means nobody`),
);

/**
 * The actor of a write. It is optional in the schema because a credential may supply it. The operation refuses a
 * request without any actor (docs/contract/http-api.md#15-actor).
 */
export const Actor = shape(() =>
  actorOrNone()
    .optional()
    .describe(
      `who acts; required unless the credential names the actor; at most ${MAX_ACTOR_BYTES} bytes; ${ACTOR_RULE}`,
    ),
);

export const Title = shape(() =>
  filled()
    .refine(
      (value) => atMostCodePoints(value, MAX_TITLE_CHARACTERS),
      rule(`must be at most ${MAX_TITLE_CHARACTERS} characters`),
    )
    .meta({ minLength: 1, maxLength: MAX_TITLE_CHARACTERS }),
);

/** Counts the code points only if `length` does not decide, because a code point has one or two code units. */
function atMostCodePoints(value: string, max: number): boolean {
  return value.length <= max || (value.length <= 2 * max && [...value].length <= max);
}

export const Body = shape(() => text());

export const CommentText = shape(() => filled().meta({ minLength: 1 }));

export const Label = shape(() =>
  z
    .string()
    .regex(LABEL, LABEL_RULE)
    .refine((label) => !isDotSegment(label), DOTS_RULE),
);

export const Priority = shape(() => z.int().min(0).max(MAX_PRIORITY).describe("0 is the highest"));

/** The name of a teammate: printable ASCII without blanks. */
export const Teammate = shape(() =>
  z
    .string()
    .regex(
      new RegExp(`^[\\x21-\\x7e]{1,${MAX_TEAMMATE_CHARACTERS}}$`),
      `must be 1 to ${MAX_TEAMMATE_CHARACTERS} ASCII characters`,
    ),
);

export const ProjectName = shape(() =>
  visibleHandle(MAX_PROJECT_NAME_BYTES)
    .refine((value) => !value.includes("#"), rule("must not contain #"))
    .meta({ minLength: 1, description: `at most ${MAX_PROJECT_NAME_BYTES} bytes, without #` }),
);

/**
 * Maps keys to any JSON. The operations check the keys that svc reserves (docs/contract/http-api.md#47-metadata). The
 * schema does not copy the value, because a copy would lose how its numbers are spelt (`1.0`).
 */
export const Metadata = shape(() =>
  z
    .custom<JsonObject>((value) => isPlainObject(value as JsonObject), rule("must be an object"))
    .meta({ type: "object", additionalProperties: true }),
);

export const Status = shape(() => z.enum(["open", "closed"]));
export const CloseReason = shape(() =>
  z.enum(["done", "wontfix", "duplicate", "superseded", "audit-no-change"]),
);
export const LinkType = shape(() => z.enum(["parent", "blocks", "related"]));

export const IfMatch = shape(() =>
  z.string().optional().describe('the expected revision as "rev-N", quotes included'),
);

export const IdempotencyKey = shape(() =>
  z
    .string()
    .optional()
    .describe(
      "makes it safe to repeat the request: the same key gives the first result again; 1 to 255 characters",
    ),
);

/**
 * The caller must type this text, so that nothing is deleted by mistake (docs/contract/http-api.md#18-confirmation).
 */
export const Confirm = shape(() =>
  z
    .string()
    .optional()
    .describe(
      "the exact text that confirms the action, in UTF-8; a refused request answers with it",
    ),
);

export const Reason = shape(() => text().trim().optional().describe("reason, kept for the record"));

export const Limit = shape(() => z.int().min(0).optional().describe("0 or absent means all"));

const Labels = () => z.array(z.string()).max(MAX_FILTER_VALUES).optional();

const PriorityText = () => z.enum(["0", "1", "2", "3", "4", ""]).optional();

export const stateFilters = () => ({
  status: z.enum(["open", "closed", ""]).optional().describe("empty or absent means both"),
  priority: PriorityText().describe("only this priority"),
  max_priority: PriorityText().describe(
    "this priority or higher; leaves out issues without a priority",
  ),
});

export const detailFilters = () => ({
  blocked: z
    .boolean()
    .optional()
    .describe("true: only issues that an open issue blocks; false: only the others"),
  meta: z
    .array(z.string())
    .max(MAX_FILTER_VALUES)
    .optional()
    .describe("key (the key exists) or key=value (its text is this); all must match"),
});

export const labelFilters = () => ({
  label: Labels().describe("only issues that have all of these labels, in any letter case"),
  exclude_label: Labels().describe("only issues that have none of these labels"),
});

export const ownerFilters = () => ({
  unowned: z
    .boolean()
    .optional()
    .describe("only issues without an owner; cannot be combined with owner"),
  owner: z.string().optional(),
});

export const familyFilters = () => ({
  parent_uid: z.string().optional().describe("only children of the issue with this uid"),
});

export const originFilters = () => ({
  author: z.string().optional().describe("only issues that this actor created"),
  changed_since: z
    .string()
    .optional()
    .describe("only issues that were last changed at this RFC 3339 instant or later"),
});

/**
 * A position in a list: an instant and an id. In a list sorted by `take`, the rank of the priority follows. The position
 * is a sort key, so it stays valid when its issue changes or is deleted.
 */
export const LIST_PLACE = /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z_\d{1,15}(?:_[0-5])?)?$/;

export const ListPlace = shape(() =>
  z
    .string()
    .regex(LIST_PLACE, "is no place in a list; give the next_after of the page before as it is")
    .describe("asks for a page: the next_after of the page before, or empty for the first page"),
);

export const Count = shape(() => z.int().min(0));

/** The number of a lease. It grows with every lease of an issue and is never reused. */
export const Fence = shape(() => z.int().positive().describe("grows with each lease of the issue"));

export const LeaseKind = shape(() => z.enum(["hard", "timed"]));

export const LeaseSeconds = shape(() => z.int().min(60).max(86_400).describe("60 to 86400"));

/** The point in the past that a read shows (docs/past.md). */
export const At = shape(() =>
  z.string().optional().describe("show the past: an RFC 3339 instant, or the id of an event"),
);

export const AsOf = shape(() =>
  z
    .looseObject({
      event_id: Count().describe("id of the last event that is included"),
      at: Instant(),
    })
    .optional()
    .describe("present with at: the moment that the answer shows"),
);
