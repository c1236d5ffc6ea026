import { z } from "zod";
import { ISSUE_FIELDS } from "./list-budget.ts";

/**
 * The query parameter that limits the size of an answer. It was added in API 0.15.0. Without it a route answers as in
 * earlier versions.
 */
export const maxBytes = () =>
  z
    .int()
    .min(0)
    .optional()
    .describe(
      "cut the answer after the last row that fits into this many bytes of JSON, but not before the first; if that is an issue, its lists and metadata are cut to fit; 0 is no limit; given at all, the answer says `count`, and whether it was cut (API 0.15.0)",
    );

/** The query parameter that selects the fields of issues in an answer (API 0.15.0). */
export const fields = () =>
  z
    .string()
    .optional()
    .describe(
      `fields of each issue to answer with, with commas between, or each with - in front to leave it out; what is left out is missing even where the schema requires it; known are ${ISSUE_FIELDS.join(", ")} (API 0.15.0)`,
    );

/** Fields of an answer that are present only if the request has `max_bytes`. */
export const cut = () => ({
  truncated: z
    .boolean()
    .optional()
    .describe(
      "present with max_bytes if there is more: true; what follows is at next_after, if that is present",
    ),
  count: z.int().optional().describe("present with max_bytes: the number of rows in this answer"),
});
