/**
 * The tests stand in three lanes, by what they cost:
 *
 * - pure: functions, files of the test's own and streams, but no database, no program and no daemon;
 * - store: a database, on SQLite and PostgreSQL, within the process of the test;
 * - whole: programs, terminals and browsers.
 *
 * A folder has one lane. A file whose name ends in `.pure.test.ts`, `.store.test.ts` or `.whole.test.ts` stands in
 * that lane instead. The files of the pure lane and of most folders of the store lane share their modules, which saves
 * about half of their processor time. A file that replaces a module or a variable of the environment has modules of its
 * own, and its name ends in `.alone.test.ts`.
 */
export const LANES = ["pure", "store", "whole"] as const;

export type Lane = (typeof LANES)[number];

/** The lane of each folder of `test`; the files of `test` itself stand in "pure". */
export const LANE_OF_FOLDER: Readonly<Record<string, Lane>> = {
  archive: "store",
  base: "pure",
  cli: "store",
  client: "store",
  config: "pure",
  connectors: "pure",
  contract: "pure",
  daemon: "store",
  domain: "pure",
  e2e: "whole",
  embed: "whole",
  engines: "store",
  federation: "store",
  http: "store",
  mcp: "store",
  meaning: "pure",
  ops: "store",
  outgoing: "pure",
  screen: "pure",
  search: "store",
  shared: "pure",
  simulation: "store",
  sources: "store",
  store: "store",
  sync: "pure",
  support: "store",
  tui: "pure",
  web: "whole",
};

/** Folders whose files all have modules of their own. */
const OWN_MODULES: readonly string[] = ["archive", "daemon", "federation", "simulation"];

const ALONE = "*.alone.test.{ts,tsx}";

interface Files {
  readonly include: string[];
  readonly exclude: string[];
}

/** Returns which files vitest runs in a lane, without those that have modules of their own. */
export function filesOf(lane: Lane): Files {
  return {
    include: [
      ...(lane === "pure" ? ["test/*.test.ts"] : []),
      ...foldersOf(lane, "shared").map((folder) => `test/${folder}/**/*.test.{ts,tsx}`),
      `test/**/*.${lane}.test.{ts,tsx}`,
    ],
    exclude: [
      ...filesOfOthers(lane),
      ...foldersOf(lane, "own").map((folder) => `test/${folder}/**/*.${lane}.test.{ts,tsx}`),
      `test/**/${ALONE}`,
    ],
  };
}

/** Returns which files of a lane have modules of their own. */
export function filesAloneOf(lane: Lane): Files {
  return {
    include: [
      ...foldersOf(lane, "own").map((folder) => `test/${folder}/**/*.test.{ts,tsx}`),
      ...foldersOf(lane, "shared").map((folder) => `test/${folder}/**/${ALONE}`),
    ],
    exclude: filesOfOthers(lane),
  };
}

function foldersOf(lane: Lane, modules: "shared" | "own"): readonly string[] {
  return Object.keys(LANE_OF_FOLDER)
    .filter((folder) => LANE_OF_FOLDER[folder] === lane)
    .filter((folder) => OWN_MODULES.includes(folder) === (modules === "own"));
}

function filesOfOthers(lane: Lane): string[] {
  return LANES.filter((other) => other !== lane).map((other) => `test/**/*.${other}.test.{ts,tsx}`);
}

/** Whether a test file has modules of its own. */
export function isAlone(file: string): boolean {
  const [, folder = ""] = file.split("/");
  return OWN_MODULES.includes(folder) || /\.alone\.test\.tsx?$/.test(file);
}

/** Returns the lane of a test file, given by its path from the root of the repository. */
export function laneOf(file: string): Lane {
  const named = LANES.find((lane) => new RegExp(`\\.${lane}\\.test\\.tsx?$`).test(file));
  const [, folder = ""] = file.split("/");
  return named ?? LANE_OF_FOLDER[folder] ?? "pure";
}
