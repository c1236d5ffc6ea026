import { z } from "zod";

/** Members that several tools take (facts mcp 8). */

const MAX_LIMIT = 100;
const MAX_REF_CHARACTERS = 256;
const MAX_CURSOR_CHARACTERS = 64;

export const ref = z
  .string()
  .min(1)
  .max(MAX_REF_CHARACTERS)
  .describe("issue, such as ab3d or project#ab3d");

export const project = z.string().min(1).max(MAX_REF_CHARACTERS).describe("project name");

export const limit = z.int().min(1).max(MAX_LIMIT).optional().describe("most rows, default 20");

export const cursor = z
  .string()
  .min(1)
  .max(MAX_CURSOR_CHARACTERS)
  .optional()
  .describe("next_cursor of the page before");

const label = z.string().regex(/^[a-z0-9._:-]{1,64}$/);

export const labels = z.array(label).max(MAX_LIMIT).optional().describe("has all of these labels");

export const excludeLabels = z
  .array(label)
  .max(MAX_LIMIT)
  .optional()
  .describe("has none of these labels");

export const owner = z.string().min(1).optional().describe("owned by this actor");
export const unowned = z.boolean().optional().describe("has no owner");
