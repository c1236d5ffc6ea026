import { z } from "zod";
import { isPlainObject, type JsonObject } from "../base/json.ts";
import { isUlid } from "../base/ulid.ts";
import { MAX_DEFINITION_BYTES, MAX_RECORD_NAME_BYTES } from "./limits.ts";
import { component, shape } from "./shape.ts";
import { Actor, Instant, ProjectId, visibleHandle } from "./values.ts";

/** A ULID in any letter case. The operations compare it in upper case. */
export const CronUid = shape(() =>
  z.string().refine(isUlid, { error: "must be a ULID" }).meta({ description: "a ULID" }),
);

export const RecordName = () =>
  visibleHandle(MAX_RECORD_NAME_BYTES).meta({
    minLength: 1,
    description: `trimmed; at most ${MAX_RECORD_NAME_BYTES} bytes`,
  });

export const OBJECT = { type: "object", additionalProperties: true } as const;
export const TEXT = { type: "string" } as const;

/**
 * The document of a job or workflow in a request. The schema does not copy the value, because a copy would lose how its
 * numbers are spelt (`1.0`). The operations check the members of the document
 * (docs/contract/cron-and-inbox.md#21-reading-and-storing).
 */
export const definitionDocument = () =>
  z.custom<JsonObject>((value) => isPlainObject(value as JsonObject), {
    error: "must be an object",
    abort: true,
  });

/**
 * The definition in an answer. Its members are not checked, since a newer daemon may send some that the client does not
 * know.
 */
export const StoredDefinition = (what: string) =>
  definitionDocument().meta({ ...OBJECT, description: what });

export const recordFields = () => ({
  id: z.int(),
  uid: z.string(),
  project_id: ProjectId(),
  name: z.string(),
  definition_event_uid: z.string().describe("a change must send this as expected_event_uid"),
  definition_hlc: z.looseObject({
    version: z.int(),
    physical_ms: z.int(),
    counter: z.int(),
    origin_instance_uid: z.string(),
  }),
  author: z.string(),
  revision: z.int(),
  created_at: Instant(),
  updated_at: Instant(),
  deleted_at: Instant().optional().describe("only in a deleted record"),
});

export const CronParams = shape(() => z.object({ project_id: ProjectId(), cron_uid: CronUid() }));

const includeDeleted = () => z.boolean().optional().describe("include deleted records");

export const ListQuery = shape(() => z.object({ include_deleted: includeDeleted() }));

export const JobListQuery = shape(() =>
  z.object({
    include_deleted: includeDeleted(),
    name: z.string().optional().describe("only jobs with exactly this name (API 0.15.0)"),
    times: z
      .boolean()
      .optional()
      .describe("each job also says `next_at` and `last_at` (API 0.15.0)"),
  }),
);

/**
 * The event that a change expects. It is optional in the schema, so that the operation can refuse a missing value with
 * the same conflict error as a stale value (docs/contract/cron-and-inbox.md#15-compare-and-set).
 */
export const ExpectedEvent = () =>
  z.string().optional().describe("required: the definition_event_uid that was read");

/**
 * Makes the daemon check the text of the request's body (`daemon/requests/body.ts`): it refuses a JSON object with a
 * duplicate member, and measures `definition` in bytes as it was sent
 * (docs/contract/cron-and-inbox.md#21-reading-and-storing).
 */
export const AS_SENT = { maxBytes: { definition: MAX_DEFINITION_BYTES } } as const;

export const ChangeRequest = component("CronChangeRequest", () =>
  z.strictObject({ expected_event_uid: ExpectedEvent(), actor: Actor() }),
);

/**
 * The fields of `ChangeRequest` in the query, for clients that cannot send a body with DELETE. If both are sent, they
 * must agree.
 */
export const ChangeQuery = shape(() =>
  z.object({ expected_event_uid: ExpectedEvent(), actor: Actor() }),
);
