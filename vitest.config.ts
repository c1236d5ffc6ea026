import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.{ts,tsx}"],
    globalSetup: ["test/support/global.ts"],
    setupFiles: ["test/support/children.ts", "test/support/claims.ts"],
    reporters: [
      ["default", { summary: false }],
      ["./test/support/reporter.ts", {}],
    ],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // On a busy machine a second, the default, is not enough for what another process does.
    expect: { poll: { timeout: 20_000 } },
    allowOnly: false,
    // What a test sees of the outside must not depend on who runs it.
    env: { TZ: "UTC", LC_ALL: "C", NO_COLOR: "1" },
  },
});
