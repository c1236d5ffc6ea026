import { defineConfig } from "vitest/config";
import { filesAloneOf, filesOf } from "./test/lanes.ts";
import { memoryFolder } from "./test/support/memory-folder.ts";
import { LongFirst } from "./test/support/sequencer.ts";

/** A test of several processes may fail because the machine is busy. A test with random values, whose failure names its
 * seed, is not run again, since other values might pass. The reporter names each test that needed this. */
const ONCE_AGAIN = { count: 1, condition: /^(?![^]*\bseed\b)/i };

const STORE = {
  globalSetup: ["test/support/global.ts"],
  env: { TMPDIR: memoryFolder() },
};

export default defineConfig({
  test: {
    projects: [
      { test: { name: "pure", ...filesOf("pure"), isolate: false } },
      { test: { name: "pure-alone", ...filesAloneOf("pure") } },
      { test: { name: "store", ...filesOf("store"), ...STORE, isolate: false } },
      { test: { name: "store-alone", ...filesAloneOf("store"), ...STORE } },
      {
        test: {
          name: "whole",
          ...filesOf("whole"),
          globalSetup: ["test/support/global.ts"],
          retry: ONCE_AGAIN,
        },
      },
    ],
    setupFiles: ["test/support/children.ts", "test/support/claims.ts"],
    reporters: [
      ["default", { summary: false }],
      ["./test/support/reporter.ts", {}],
    ],
    pool: "forks",
    sequence: { sequencer: LongFirst },
    // Tests of the whole lane wait for other processes, so two cores have time for a third file.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // On a busy machine, another process may need longer than the default of one second.
    expect: { poll: { timeout: 20_000 } },
    allowOnly: false,
    // The environment of a test must not depend on who runs it.
    env: { TZ: "UTC", LC_ALL: "C", NO_COLOR: "1" },
  },
});
