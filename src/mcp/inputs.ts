import { z } from "zod";
import { LABEL } from "../contract/label.ts";
import {
  DEFAULT_BODY_BYTES,
  MAX_ACTOR_BYTES,
  MAX_PRIORITY,
  MAX_TITLE_CHARACTERS,
} from "../contract/limits.ts";

/** Input members that several tools share (docs/contract/tools.md#8-tools). */

const MAX_LIMIT = 100;
const MAX_REF_CHARACTERS = 256;
const MAX_CURSOR_CHARACTERS = 64;

const Ref = z.string().min(1).max(MAX_REF_CHARACTERS);

export const ref = Ref.describe("such as ab3d or project#ab3d");

const Project = z.string().min(1).max(MAX_REF_CHARACTERS);

export const project = Project.describe("name of the project");

/** The project for a tool that reads all projects in reach unless one is named. */
export const onlyProject = Project.optional().describe("default all in reach");

/** The project for a tool that works on one project. */
export const ownProject = Project.optional().describe("needed if the server reaches several");

export const limit = z.int().min(1).max(MAX_LIMIT).optional().describe("most rows, default 20");

export function cursorOf(maxCharacters: number) {
  return z.string().min(1).max(maxCharacters).optional().describe("next_cursor of the page before");
}

export const cursor = cursorOf(MAX_CURSOR_CHARACTERS);

const Label = z.string().regex(LABEL);

export const labels = z.array(Label).max(MAX_LIMIT).optional().describe("has all of these labels");

export const excludeLabels = z
  .array(Label)
  .max(MAX_LIMIT)
  .optional()
  .describe("has none of these labels");

export const owner = z.string().min(1).optional().describe("owned by this actor");
export const unowned = z.boolean().optional().describe("has no owner");

export const label = Label.describe("label, in lower case");
export const priority = z.int().min(0).max(MAX_PRIORITY).optional().describe("0 (highest) to 4");
export const revision = z
  .int()
  .min(0)
  .optional()
  .describe("refuse unless the issue has this revision");

export const title = z
  .string()
  .max(MAX_TITLE_CHARACTERS)
  .regex(/^[^\r\n]+$/, "must be one line")
  .describe("one line");

const MAX_KEY_CHARACTERS = 255;

export const idempotencyKey = z
  .string()
  .min(1)
  .max(MAX_KEY_CHARACTERS)
  .describe("new for each change; the same to send one again whose answer was lost");

export const comment = z.string().min(1).max(DEFAULT_BODY_BYTES).describe("text, Markdown");

/** Why the caller makes the change; it is kept in the event log. */
export const reason = z.string().min(1).max(1024).describe("why");

export const refList = z.array(Ref).min(1).max(MAX_LIMIT);
export const refs = refList.optional();

export const instant = z.string().min(1).max(64);

export const leaseSeconds = z
  .int()
  .min(60)
  .max(86_400)
  .describe("seconds after which the lease ends by itself");

export const purpose = z.string().max(1024).describe("what the lease is for");

export const actor = z.string().min(1).max(MAX_ACTOR_BYTES);

export const uid = z.string().regex(/^[0-9A-Za-z]{26}$/);

export const artifact = z
  .string()
  .min(1)
  .max(1024)
  .describe("path of the file below the storage root");
