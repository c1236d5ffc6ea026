// Runs a connector that writes its secrets wherever it can: to stderr at each call, and into the error that the file of
// its first argument has for a method. The error is passed on byte by byte, so its text can be escaped in any way.
import { existsSync, readFileSync, rmSync } from "node:fs";

const [file, program] = process.argv.slice(2);
process.stderr.write(`${process.env.KEY} ${process.argv.join(" ")}\n`);
const { method, error } = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
if (error === undefined) {
  await import(program);
} else {
  const request = JSON.parse(readFileSync(0, "utf8"));
  const { protocol, id, instance, settings } = request;
  if (request.method === method) {
    rmSync(file);
    process.stdout.write(
      `{"protocol":${JSON.stringify(protocol)},"id":${JSON.stringify(id)},"error":${error}}`,
    );
  } else {
    const { spawnSync } = await import("node:child_process");
    const input = JSON.stringify({ ...request, instance, settings });
    process.stdout.write(spawnSync(process.execPath, [program], { input }).stdout);
  }
}
