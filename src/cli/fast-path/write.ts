import { writeSync } from "node:fs";
import { jsonLine } from "../json-line.ts";

/** Prints the answer. `false`: it is not the plain object that every answer of these routes is, and nothing was written. */
export function writeJson(body: Buffer): boolean {
  const line = jsonLine(body);
  return line !== undefined && write(line);
}

/** To the descriptor; Node's stream is slow to make and made only for a pipe that has to be waited for. */
function write(bytes: Buffer): boolean {
  let done = 0;
  try {
    while (done < bytes.length) done += writeSync(1, bytes, done);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // Behind `| head` nobody reads any more.
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
