import { cutNote, type Limits } from "./cut-note.ts";
import { outlineOf } from "./outline.ts";

/** Whatever says that it was cut has this text in its JSON. A long answer without it need not be looked through. */
const TRUNCATED = '"truncated":true';

/**
 * Returns the lines that say on stderr what a JSON answer leaves out. `whole` is the flag that shows an issue whole
 * whose long fields were cut. With `isOld` the daemon does not say itself whether there are more rows.
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
