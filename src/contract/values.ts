import { z } from "zod";
import type { JsonObject } from "../base/json.ts";
import {
  MAX_ACTOR_BYTES,
  MAX_LABEL_CHARACTERS,
  MAX_PRIORITY,
  MAX_PROJECT_NAME_BYTES,
  MAX_TEAMMATE_CHARACTERS,
  MAX_TITLE_CHARACTERS,
} from "./limits.ts";
import { component, shape } from "./shape.ts";

/** Values that many routes share (facts http-api 4). */

export const ProjectId = shape(() =>
  z.int().positive().describe("local id of the project on this daemon"),
);

export const ProjectParams = shape(() => z.object({ project_id: ProjectId() }));

/** Parsed by the op, which answers 404 `issue_not_found` for anything that is no reference (facts http-api 4.5). */
export const IssueRef = shape(() =>
  z.string().describe("short id, project#short_id (the # as %23) or uid"),
);

export const IssueParams = shape(() => z.object({ project_id: ProjectId(), ref: IssueRef() }));

export const Instant = component("Instant", () =>
  z.string().describe("UTC, YYYY-MM-DDTHH:MM:SS.mmmZ"),
);

export const Ulid = shape(() =>
  z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i, "must be a ULID"),
);

const encoder = new TextEncoder();

function withinBytes(max: number): (text: string) => boolean {
  return (text) => text.length * 3 <= max || encoder.encode(text).length <= max;
}

function withoutNul(text: string): boolean {
  return !text.includes("\u0000");
}

/** Who an act is attributed to: trimmed, not blank, without NUL. */
const Handle = () =>
  z
    .string()
    .trim()
    .min(1, "must not be blank")
    .refine(withoutNul, "must not contain NUL")
    .refine(withinBytes(MAX_ACTOR_BYTES), `must be at most ${MAX_ACTOR_BYTES} bytes`);

export const Owner = shape(() => Handle());

/** Optional in the schema because a credential may supply it; the op refuses an empty result (facts http-api 1.5). */
export const Actor = shape(() =>
  z
    .string()
    .trim()
    .refine(withoutNul, "must not contain NUL")
    .refine(withinBytes(MAX_ACTOR_BYTES), `must be at most ${MAX_ACTOR_BYTES} bytes`)
    .optional()
    .describe("who acts; required unless the credential says it"),
);

export const Title = shape(() =>
  z
    .string()
    .refine((text) => text.trim() !== "", "must not be blank")
    .refine(withoutNul, "must not contain NUL")
    .refine(
      (text) => text.length <= MAX_TITLE_CHARACTERS || [...text].length <= MAX_TITLE_CHARACTERS,
      `must be at most ${MAX_TITLE_CHARACTERS} characters`,
    ),
);

export const Body = shape(() => z.string().refine(withoutNul, "must not contain NUL"));

export const CommentText = shape(() =>
  z
    .string()
    .refine((text) => text.trim() !== "", "must not be blank")
    .refine(withoutNul, "must not contain NUL"),
);

export const Label = shape(() =>
  z
    .string()
    .regex(
      new RegExp(`^[a-z0-9._:-]{1,${MAX_LABEL_CHARACTERS}}$`),
      `must be 1 to ${MAX_LABEL_CHARACTERS} of a-z 0-9 . _ : -`,
    ),
);

export const Priority = shape(() => z.int().min(0).max(MAX_PRIORITY).describe("0 is the highest"));

/** Printable ASCII. */
export const Teammate = shape(() =>
  z
    .string()
    .regex(
      new RegExp(`^[\\x21-\\x7e]{1,${MAX_TEAMMATE_CHARACTERS}}$`),
      `must be 1 to ${MAX_TEAMMATE_CHARACTERS} ASCII characters`,
    ),
);

export const ProjectName = shape(() =>
  z
    .string()
    .trim()
    .min(1, "must not be blank")
    .refine((name) => !name.includes("#"), "must not contain #")
    .refine(withoutNul, "must not contain NUL")
    .refine(withinBytes(MAX_PROJECT_NAME_BYTES), `must be at most ${MAX_PROJECT_NAME_BYTES} bytes`),
);

/** Keys to any JSON; reserved keys are checked by the domain (facts http-api 4.7). */
export const Metadata = component(
  "Metadata",
  () => z.record(z.string(), z.json()) as unknown as z.ZodType<JsonObject>,
);

export const Status = shape(() => z.enum(["open", "closed"]));
export const LinkType = shape(() => z.enum(["parent", "blocks", "related"]));

export const IfMatch = shape(() =>
  z.string().optional().describe('the expected revision as "rev-N", quotes included'),
);

export const IdempotencyKey = shape(() =>
  z
    .string()
    .optional()
    .describe("under this key the same request may be sent again; 1 to 255 characters"),
);

/** `limit`: absent or 0 is all. */
export const Limit = shape(() => z.int().min(0).optional().describe("0 or absent: all"));

export const Count = shape(() => z.int().min(0));
