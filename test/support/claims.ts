import { afterAll, afterEach } from "vitest";
import { brokenClaims, forgetSeen, keepSeen } from "./seen.ts";

/**
 * Loaded before every test file. docs/routes.md names, for each code of each route, a test that gets it, and this file
 * checks that the test does. With SVC_SEEN it records what the tests got, and the table is written again from that.
 */
const ran = new Set<string>();
let file: (Task & { readonly filepath: string }) | undefined;

forgetSeen();

afterEach(({ task }) => {
  file = task.file;
  if (task.result?.state !== "fail") ran.add(nameOf(task));
});

afterAll(() => {
  if (file === undefined) return;
  const folder = process.env["SVC_SEEN"] ?? "";
  if (folder !== "") return keepSeen(file.filepath, folder);
  const broken = brokenClaims(file.filepath, ran, testsIn(file).every(isRun));
  if (broken.length === 0) return;
  throw new Error(
    `docs/routes.md says otherwise (npm run golden:routes writes it anew)\n${broken.join("\n")}`,
  );
});

interface Task {
  readonly name: string;
  readonly type: string;
  readonly mode: string;
  readonly suite?: Task | undefined;
  readonly tasks?: readonly Task[];
}

/** Returns `describe > test`, the name that vitest gives to the running test. */
function nameOf(task: Task): string {
  const { suite } = task;
  return suite === undefined ? task.name : `${nameOf(suite)} > ${task.name}`;
}

function testsIn(task: Task): readonly Task[] {
  return task.tasks === undefined ? [task] : task.tasks.flatMap(testsIn);
}

function isRun({ mode }: Task): boolean {
  return mode === "run";
}
