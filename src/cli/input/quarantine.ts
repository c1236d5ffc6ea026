import { invalid } from "../../contract/errors.ts";

/** Parses the id of a quarantined batch. Throws if the text is no such id. */
export function batchId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw invalid("that is no id of a batch", "svc federation quarantine list shows the ids");
}

/**
 * The text that says what a skip does. It is shown in the help of the command, before a person confirms a skip, and
 * with the batch.
 */
export const WHAT_SKIP_DOES =
  "The changes of the batch disappear here too: an edited issue is what it was before, an issue that the batch created is gone with everything that was written about it here. The events stay in the log, marked as skipped. Readers of the project's events have to start again.";
