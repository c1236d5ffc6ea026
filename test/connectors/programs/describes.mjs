// A connector that only describes itself. Its argument is a file with its answer: {"result"}, {"error"} or {"hang"}.
import { readFileSync, writeFileSync } from "node:fs";

const [file] = process.argv.slice(2);
const { protocol, id } = JSON.parse(readFileSync(0, "utf8"));
const { result, error, hang } = JSON.parse(readFileSync(file, "utf8"));
if (hang === undefined) {
  process.stdout.write(JSON.stringify({ protocol, id, ...(error ? { error } : { result }) }));
} else {
  writeFileSync(`${hang}.${process.pid}`, "");
  // Blocks for ever.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
