import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Small test files that take long, the longest first. Vitest starts the large files of a lane first, so these would start
 * last, and keep one worker busy while the others have nothing left to do.
 */
export const LONG_FILES: readonly string[] = [
  "test/simulation/two-daemons.whole.test.ts",
  "test/e2e/tui-tour.test.ts",
  "test/e2e/first-start.test.ts",
  "test/e2e/wait.test.ts",
  "test/e2e/kill.test.ts",
];

/** Starts the long files first, and the others in the order of vitest. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const at = LONG_FILES.indexOf(relative(project.config.root, moduleId).replaceAll("\\", "/"));
      return at === -1 ? LONG_FILES.length : at;
    };
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
