import { writeSync } from "node:fs";
import { escapeControlBytes } from "../../base/visible.ts";

const OPEN = Buffer.from('{"');
const VERSION = Buffer.from('{"svc_api_version":1,');

/**
 * The daemon's object with the version in front and a line's end behind (facts cli-and-config 1.3), to standard output.
 * `false`: it is not the plain object that every answer of these routes is, and nothing was written.
 */
export function writeJson(body: Buffer): boolean {
  const isPlain = body.subarray(0, 2).equals(OPEN) && body.at(-1) === CLOSING_BRACE;
  if (!isPlain || body.subarray(0, VERSION_KEY.length).equals(VERSION_KEY)) return false;
  return write(Buffer.concat([VERSION, escapeControlBytes(body.subarray(1)), LINE_END]));
}

const CLOSING_BRACE = 0x7d;
const VERSION_KEY = VERSION.subarray(0, -2);
const LINE_END = Buffer.from("\n");

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
