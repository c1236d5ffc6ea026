/**
 * The tests stand in three lanes, by what they cost:
 *
 * - pure: functions, files of the test's own and streams, but no database, no program and no daemon;
 * - store: a database, on SQLite and PostgreSQL, within the process of the test;
 * - whole: programs, terminals and browsers.
 *
 * A folder has one lane. A file whose name ends in `.pure.test.ts`, `.store.test.ts` or `.whole.test.ts` stands in
 * that lane instead. The files of the pure lane share their modules, which saves more than half of its time; a file that
 * replaces a module or a variable of the environment has modules of its own, and its name ends in `.alone.test.ts`.
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
  contract: "pure",
  daemon: "store",
  domain: "pure",
  e2e: "whole",
  engines: "store",
  federation: "store",
  http: "store",
  mcp: "store",
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

const ALONE = "test/**/*.alone.test.{ts,tsx}";

/** Returns which files vitest runs in a lane; of the pure one, those that share their modules. */
export function filesOf(lane: Lane): { readonly include: string[]; readonly exclude: string[] } {
  const folders = Object.keys(LANE_OF_FOLDER).filter((folder) => LANE_OF_FOLDER[folder] === lane);
  const others = LANES.filter((other) => other !== lane);
  return {
    include: [
      ...(lane === "pure" ? ["test/*.test.ts"] : []),
      ...folders.map((folder) => `test/${folder}/**/*.test.{ts,tsx}`),
      `test/**/*.${lane}.test.{ts,tsx}`,
    ],
    exclude: [...others.map((other) => `test/**/*.${other}.test.{ts,tsx}`), ALONE],
  };
}

export const ALONE_FILES: string[] = [ALONE];

/** Returns the lane of a test file, given by its path from the root of the repository. */
export function laneOf(file: string): Lane {
  const named = LANES.find((lane) => new RegExp(`\\.${lane}\\.test\\.tsx?$`).test(file));
  const [, folder = ""] = file.split("/");
  return named ?? LANE_OF_FOLDER[folder] ?? "pure";
}
