import { ChildProcess } from "node:child_process";
import { afterAll } from "vitest";

/**
 * In front of every test file. A program that a failed test leaves behind holds the pipes of its
 * test runner open, and the run would wait for it without end: whatever a file started ends with it.
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
