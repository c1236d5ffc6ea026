import { isPlainObject, type JsonObject, type JsonValue, parseJson } from "../../base/json.ts";
import type { SvcError } from "../../contract/errors.ts";
import { isMergeMark, unfinishedMerge } from "./merge-marks.ts";
import { brokenFileError } from "./refuse.ts";

export interface ObjectAt {
  readonly line: number;
  readonly fields: JsonObject;
}

/**
 * Finds the objects in a JSON text. The text is one array, or objects one after the other, or several arrays: a tool
 * that requests several pages prints one array for each. Each object is parsed separately, so that an error can name
 * its line.
 */
export function* jsonObjects(text: string): Generator<ObjectAt> {
  const marks = /["{}[\]\n]|[^\s"{}[\],]/g;
  let line = 1;
  let arrays = 0;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === "\n") line += 1;
    else if (mark[0] === "[") arrays += 1;
    else if (mark[0] === "]" && arrays > 0) arrays -= 1;
    else if (mark[0] === "{") {
      const end = endOfObject(text, mark.index);
      if (end === undefined)
        throw brokenFileError({ line }, "an object that begins here does not end", CUT);
      yield { line, fields: parseObject(text.slice(mark.index, end), line) };
      line += count(text, mark.index, end);
      marks.lastIndex = end;
    } else throw outsideTextError(text, mark.index, line);
  }
  if (arrays > 0) throw brokenFileError({ line }, "the list does not end", CUT);
}

const CUT = "the file was cut off: export it again";
const UNCHANGED = "give the JSON that the other tool printed, unchanged";

/** The error for text outside of all objects. */
function outsideTextError(text: string, at: number, line: number): SvcError {
  const end = text.indexOf("\n", at);
  if (isMergeMark(text.slice(at, end === -1 ? undefined : end).trimEnd()))
    return unfinishedMerge({ line });
  return brokenFileError({ line }, "not JSON objects", UNCHANGED);
}

/**
 * The index after the object that begins at `start`; undefined if the object does not end. Strings are scanned in small
 * steps, because one pattern for a very long string would overflow the stack.
 */
function endOfObject(text: string, start: number): number | undefined {
  const marks = /["\\{}]/g;
  marks.lastIndex = start;
  let depth = 0;
  let isText = false;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === '"') isText = !isText;
    else if (mark[0] === "\\") marks.lastIndex += 1;
    else if (!isText) depth += mark[0] === "{" ? 1 : -1;
    if (depth === 0) return mark.index + 1;
  }
  return undefined;
}

function parseObject(text: string, line: number): JsonObject {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (cause) {
    throw brokenFileError({ line }, "not JSON", UNCHANGED, cause);
  }
  if (!isPlainObject(value)) throw brokenFileError({ line }, "not a JSON object");
  return value;
}

function count(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1))
    lines += 1;
  return lines;
}
