import { writeFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule } from "vitest/node";

const SLOW_MS = 5 * 60_000;

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Writes how many tests passed to the file that SVC_TEST_COUNTS names; the test command prints its last line from that.
 * A file that could not be loaded and an error outside of tests count as failed tests, so that such a run does not
 * pass. Tests that passed only when they were run again are printed with the error of the first time, so that their
 * cause is found and mended.
 */
export default class CountsReporter implements Reporter {
  readonly #running = new Set<string>();
  #hasProgress = false;

  onInit(): void {
    setInterval(() => this.#reportSlow(), SLOW_MS).unref();
  }

  onTestModuleStart({ relativeModuleId }: TestModule): void {
    this.#running.add(relativeModuleId);
  }

  onTestModuleEnd({ relativeModuleId }: TestModule): void {
    this.#running.delete(relativeModuleId);
    this.#hasProgress = true;
  }

  /** Prints which files are being run if none has ended for a while, so that the output of a run that hangs names them. */
  #reportSlow(): void {
    if (!this.#hasProgress && this.#running.size > 0)
      console.log(`still running: ${[...this.#running].join(", ")}`);
    this.#hasProgress = false;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        counts[state === "pending" ? "failed" : state] += 1;
        if (state === "passed" && test.diagnostic()?.flaky === true) reportUnstable(test);
      }
      counts.failed += module.errors().length;
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
    }
    const file = process.env["SVC_TEST_COUNTS"] ?? "";
    if (file === "") console.log(countsLine(counts));
    else writeFileSync(file, JSON.stringify(counts));
  }
}

function reportUnstable(test: TestCase): void {
  console.log(`failed at first: ${test.module.relativeModuleId} > ${test.fullName}`);
  for (const { stack, message } of test.result().errors ?? []) console.log(stack ?? message);
}

export function countsLine({ passed, failed, skipped }: Counts): string {
  const line = `${passed} passed, ${failed} failed`;
  return skipped === 0 ? line : `${line}, ${skipped} skipped`;
}
