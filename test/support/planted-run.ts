import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "./daemon.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const VITEST = join(ROOT, "node_modules", "vitest", "vitest.mjs");

/** A fault that svc does not have: a text of one of its files, and the text that replaces it. */
export interface Plant {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export interface PlantedRun {
  readonly passed: number;
  /** The messages of the tests that failed, by their titles. */
  readonly failed: Readonly<Record<string, string>>;
}

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/**
 * Runs the tests of a file whose titles match, on SQLite, in a process of their own in which svc has the fault. Rejects
 * if the text of the fault is not in its file exactly once, or if no test ran.
 */
export async function runPlanted(
  { file, from, to }: Plant,
  testFile: string,
  titles: RegExp,
): Promise<PlantedRun> {
  const found = readFileSync(join(ROOT, file), "utf8").split(from).length - 1;
  if (found !== 1) throw new Error(`${file} has the text ${found} times: ${from}`);
  const folder = tempFolder();
  const [config, report] = [join(folder, "vitest.config.mjs"), join(folder, "report.json")];
  writeFileSync(
    config,
    `const plant = ${JSON.stringify({ file: join(ROOT, file), from, to })};
    export default {
      root: ${JSON.stringify(ROOT)},
      plugins: [{
        name: "plant",
        enforce: "pre",
        transform: (code, id) => id === plant.file ? code.replace(plant.from, () => plant.to) : null,
      }],
      test: {
        include: [${JSON.stringify(testFile)}],
        reporters: [["json", { outputFile: ${JSON.stringify(report)} }]],
        setupFiles: ["test/support/children.ts", "test/support/claims.ts"],
        pool: "forks",
        testTimeout: 60000,
      },
    };`,
  );
  const pattern = `on SQLite.*(${titles.source})`;
  const args = [VITEST, "run", "--config", config, "--bail", "1", "-t", pattern];
  const env = { ...process.env, VITEST: undefined };
  await new Promise<void>((ended, failed) =>
    spawn(process.execPath, args, { cwd: ROOT, env, stdio: "ignore" })
      .once("error", failed)
      .once("close", () => ended()),
  );
  const { numPassedTests, testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.filter(({ status }) => status === "failed");
  if (numPassedTests + failed.length === 0)
    throw new Error(`no test of ${testFile} ran: ${testResults.map(({ message }) => message)}`);
  return {
    passed: numPassedTests,
    failed: Object.fromEntries(
      failed.map(({ title, failureMessages }) => [title, failureMessages.join("\n")]),
    ),
  };
}
