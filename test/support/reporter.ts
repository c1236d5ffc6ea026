import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Writes how many tests passed to the file that SVC_TEST_COUNTS names; the test command prints its last line from that.
 * A file that could not be loaded and an error outside of tests count as failed tests, so that such a run does not
 * pass.
 */
export default class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        counts[state === "pending" ? "failed" : state] += 1;
      }
      counts.failed += module.errors().length;
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
    }
    const file = process.env["SVC_TEST_COUNTS"] ?? "";
    if (file === "") console.log(countsLine(counts));
    else writeFileSync(file, JSON.stringify(counts));
  }
}

export function countsLine({ passed, failed, skipped }: Counts): string {
  const line = `${passed} passed, ${failed} failed`;
  return skipped === 0 ? line : `${line}, ${skipped} skipped`;
}
