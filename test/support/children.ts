import { ChildProcess } from "node:child_process";
import { afterAll } from "vitest";

/**
 * Loaded before every test file. It ends every program that the file started: a program left by a failed test keeps the
 * pipes of the test runner open, and the run would never end.
 */
const started = new Set<ChildProcess>();
const prototype: { spawn(options: object): unknown } = ChildProcess.prototype as never;
const { spawn } = prototype;

prototype.spawn = function (this: ChildProcess, options) {
  started.add(this);
  this.once("exit", () => started.delete(this));
  return spawn.call(this, options);
};

afterAll(() => {
  prototype.spawn = spawn;
  for (const child of started) child.kill("SIGKILL");
});
