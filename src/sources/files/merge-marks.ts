import type { SvcError } from "../../contract/errors.ts";
import { brokenFileError, type Place } from "./refuse.ts";

const MARK = /^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/;

/** True for a line that git writes into a file which it could not merge. */
export function isMergeMark(line: string): boolean {
  return MARK.test(line);
}

export function unfinishedMerge(place: Place, cause?: unknown): SvcError {
  return brokenFileError(
    place,
    "a mark of an unfinished git merge",
    "finish the merge (`git status` names the files), then import again",
    cause,
  );
}
