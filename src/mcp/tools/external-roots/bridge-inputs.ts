import { z } from "zod";
import {
  MAX_BRIDGE_TEXT,
  MAX_CONNECTOR_INSTANCE,
  MAX_EXTERNAL_FIELD,
} from "../../../contract/limits.ts";

/** Input members that tools of connectors and bridges share (docs/contract/tools.md#89-external_roots). */

export const instance = z
  .string()
  .min(1)
  .max(MAX_CONNECTOR_INSTANCE)
  .describe("name of the connector");

export const svcField = z.enum(["scheduled_on", "deadline_on"]).describe("date here");

export const externalField = z
  .string()
  .min(1)
  .max(MAX_EXTERNAL_FIELD)
  .describe("id of the field there, or its name");

/** A locator, the id of a comment there, or a reason. */
export const text = z.string().max(MAX_BRIDGE_TEXT);
