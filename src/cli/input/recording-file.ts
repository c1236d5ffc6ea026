import { openSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { errorCode } from "../../base/error-code.ts";
import { invalid } from "../../contract/errors.ts";
import { CommandError, usage } from "../failure/failure.ts";
import { reasonOf } from "../failure/system-fault.ts";

/** The most bytes of a recording, since it is read into memory as a whole. */
export const MAX_RECORDING_BYTES = 256 * 1024 * 1024;

export function newRecordingFile(path: string, cwd: string): number {
  try {
    return openSync(resolve(cwd, path), "wx", 0o600);
  } catch (error) {
    if (codeOf(error) === "EEXIST")
      throw new CommandError("conflict", `${path} is there already`, {
        hint: "a recording is written to a new file",
      });
    throw invalid(`cannot write ${path}: ${codeOf(error)}`);
  }
}

export function recordingText(path: string, cwd: string): string {
  const file = resolve(cwd, path);
  try {
    const { size } = statSync(file);
    if (size <= MAX_RECORDING_BYTES) return readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") throw new CommandError("not_found", `there is no file ${path}`);
    throw invalid(`cannot read ${path}: ${reasonOf(error)}`);
  }
  throw invalid(`${path} is larger than any recording: more than ${MAX_RECORDING_BYTES} bytes`);
}

const [MIN_SPEED, MAX_SPEED] = [0.1, 10_000];

export function speedOf(text: string): number {
  const speed = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (speed >= MIN_SPEED && speed <= MAX_SPEED) return speed;
  throw usage(`--speed is a number from ${MIN_SPEED} to ${MAX_SPEED}, not ${JSON.stringify(text)}`);
}

function codeOf(error: unknown): string {
  return errorCode(error) ?? String(error);
}
