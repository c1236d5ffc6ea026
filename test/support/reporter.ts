import { writeFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule } from "vitest/node";

const SLOW_MS = 5 * 60_000;

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** How far a run is. It is written after each file, so that a run that is ended keeps its counts. */
export interface Progress {
  readonly counts: Counts;
  /** The files that are being run. */
  readonly running: readonly string[];
  /** The files that took longest, the slowest first. */
  readonly slowest: readonly { readonly file: string; readonly ms: number }[];
}

const NAMED = 10;

/**
 * Writes how many tests passed to the file that SVC_TEST_COUNTS names; the test command prints its last line from that.
 * A file that could not be loaded and an error outside of tests count as failed tests, so that such a run does not
 * pass. Tests that passed only when they were run again are printed with the error of the first time, so that their
 * cause is found and mended.
 */
export default class CountsReporter implements Reporter {
  readonly #running = new Set<string>();
  readonly #ended = new Map<string, number>();
  #counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  #hasProgress = false;

  onInit(): void {
    setInterval(() => this.#reportSlow(), SLOW_MS).unref();
  }

  onTestModuleStart({ relativeModuleId }: TestModule): void {
    this.#running.add(relativeModuleId);
    this.#write();
  }

  onTestModuleEnd(module: TestModule): void {
    this.#running.delete(module.relativeModuleId);
    this.#ended.set(module.relativeModuleId, module.diagnostic().duration);
    this.#counts = added(this.#counts, module);
    this.#hasProgress = true;
    this.#write();
  }

  /** Prints which files are being run if none has ended for a while, so that the output of a run that hangs names them. */
  #reportSlow(): void {
    if (!this.#hasProgress && this.#running.size > 0)
      console.log(`still running: ${[...this.#running].join(", ")}`);
    this.#hasProgress = false;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    this.#counts = modules.reduce(added, { passed: 0, failed: errors.length, skipped: 0 });
    for (const module of modules)
      for (const test of module.children.allTests())
        if (test.result().state === "passed" && test.diagnostic()?.flaky === true)
          reportUnstable(test);
    if (!this.#write()) console.log(countsLine(this.#counts));
  }

  /** Returns false if there is no file to write to. */
  #write(): boolean {
    const file = process.env["SVC_TEST_COUNTS"] ?? "";
    if (file === "") return false;
    const slowest = [...this.#ended]
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, NAMED)
      .map(([name, ms]) => ({ file: name, ms }));
    const progress: Progress = { counts: this.#counts, running: [...this.#running], slowest };
    writeFileSync(file, JSON.stringify(progress));
    return true;
  }
}

function added(before: Counts, module: TestModule): Counts {
  const counts = { ...before };
  for (const test of module.children.allTests()) {
    const { state } = test.result();
    counts[state === "pending" ? "failed" : state] += 1;
  }
  counts.failed += module.errors().length;
  for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
  return counts;
}

function reportUnstable(test: TestCase): void {
  console.log(`failed at first: ${test.module.relativeModuleId} > ${test.fullName}`);
  for (const { stack, message } of test.result().errors ?? []) console.log(stack ?? message);
}

export function countsLine({ passed, failed, skipped }: Counts): string {
  const line = `${passed} passed, ${failed} failed`;
  return skipped === 0 ? line : `${line}, ${skipped} skipped`;
}
