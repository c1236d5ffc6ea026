import { writeSync } from "node:fs";
import { errorCode } from "../../base/error-code.ts";
import { jsonLine } from "../output/json-line.ts";

/** Prints the answer. Returns `false` and prints nothing if the answer is no plain JSON object. */
export function writeJson(body: Buffer): boolean {
  const line = jsonLine(body);
  return line !== undefined && write(line, 1, () => process.stdout);
}

export function writeNote(line: string): void {
  write(Buffer.from(`${line}\n`), 2, () => process.stderr);
}

/**
 * Writes to a file descriptor. Node's streams of the process are slow to create, so they are used only when a pipe is
 * full. Returns `false` if nothing was written.
 */
function write(bytes: Buffer, fd: number, stream: () => NodeJS.WriteStream): boolean {
  let done = 0;
  try {
    while (done < bytes.length) done += writeSync(fd, bytes, done);
  } catch (error) {
    const code = errorCode(error);
    // The program that reads the output has ended, as in `svc list | head`.
    if (code === "EPIPE") return true;
    if (code !== "EAGAIN") {
      if (done === 0) return false;
      throw error;
    }
    stream()
      .on("error", (late: NodeJS.ErrnoException) => {
        if (late.code !== "EPIPE") throw late;
      })
      .write(bytes.subarray(done));
  }
  return true;
}
