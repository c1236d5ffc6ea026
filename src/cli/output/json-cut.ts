import { cutNote, type Limits } from "./cut-note.ts";
import { outlineOf } from "./outline.ts";

/** The JSON of an answer that was cut contains this text. A long answer without it need not be parsed. */
const TRUNCATED = '"truncated":true';

/**
 * Returns the lines for stderr that say what a JSON answer leaves out. `whole` is the flag that shows an issue in full.
 * With `isOld`, the daemon is too old to say whether there are more rows.
 */
export function jsonCutNotes(
  json: Buffer,
  limits: Limits,
  { whole = "--max-bytes 0", isOld = false } = {},
): readonly string[] {
  if (!isOld && !json.includes(TRUNCATED)) return [];
  const outline = outlineOf(json);
  const shown = isOld ? outline.rows : undefined;
  const note = cutNote(outline, { ...limits, shown });
  return [
    ...(note === undefined ? [] : [note]),
    ...(outline.hasCutIssue ? [`... an issue is cut (${whole} shows all of it)`] : []),
  ];
}
