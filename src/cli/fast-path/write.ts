import { writeSync } from "node:fs";
import { errorCode } from "../../base/error-code.ts";
import { jsonLine } from "../json-line.ts";

/** Prints the answer. Returns `false` and prints nothing if the answer is no plain JSON object. */
export function writeJson(body: Buffer): boolean {
  const line = jsonLine(body);
  return line !== undefined && write(line);
}

/**
 * Writes to file descriptor 1 (stdout). Node's `process.stdout` is slow to create, so it is used only when a pipe is
 * full.
 */
function write(bytes: Buffer): boolean {
  let done = 0;
  try {
    while (done < bytes.length) done += writeSync(1, bytes, done);
  } catch (error) {
    const code = errorCode(error);
    // The program that reads the output has ended, as in `svc list | head`.
    if (code === "EPIPE") return true;
    if (code !== "EAGAIN") {
      if (done === 0) return false;
      throw error;
    }
    process.stdout
      .on("error", (late: NodeJS.ErrnoException) => {
        if (late.code !== "EPIPE") throw late;
      })
      .write(bytes.subarray(done));
  }
  return true;
}
