// Runs a connector, unless the file that its first argument names holds the method of the request. Then it removes that
// file, lets the connector do its work and ends without an answer, as one does that is killed in that moment.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";

const [file, program] = process.argv.slice(2);
if (existsSync(file)) {
  const input = readFileSync(0);
  const { stdout, status } = spawnSync(process.execPath, [program], { input });
  if (readFileSync(file, "utf8") === JSON.parse(input).method) {
    rmSync(file);
    process.exitCode = 3;
  } else {
    process.exitCode = status ?? 1;
    process.stdout.write(stdout);
  }
} else {
  await import(program);
}
