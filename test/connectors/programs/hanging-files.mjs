// The connector of examples/connectors/files.mjs. While the file of its argument exists it answers nothing, and writes
// its number beside that file.
import { existsSync, writeFileSync } from "node:fs";

const [flag] = process.argv.slice(2);
if (existsSync(flag)) {
  writeFileSync(`${flag}.${process.pid}`, "");
  // Blocks for ever.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
await import("../../../examples/connectors/files.mjs");
