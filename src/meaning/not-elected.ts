import { SvcError } from "../contract/errors.ts";

/** Whether the index refused a write because another daemon on the database embeds. Nothing is wrong then. */
export function isNotElected(error: unknown): boolean {
  return error instanceof SvcError && error.data["reason"] === "not_elected";
}
