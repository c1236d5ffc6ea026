/** The maximum number of projects that one tool call reads (docs/contract/tools.md#42-reading-several-projects). */
export const MAX_PROJECTS = 500;
/** How many of these projects are read at the same time (docs/contract/tools.md#42-reading-several-projects). */
const AT_ONCE = 8;

/**
 * Calls `ask` for the projects in their order, a few at the same time, until `isEnough` says that further answers would
 * change nothing, or until `most` projects were asked. Returns the answers in the order of the projects.
 */
export async function askProjects<P, T>(
  projects: readonly P[],
  ask: (project: P) => Promise<T>,
  isEnough: (answers: readonly T[]) => boolean,
  most = MAX_PROJECTS,
): Promise<readonly T[]> {
  const answers: T[] = [];
  const end = Math.min(projects.length, most);
  for (let at = 0; at < end && !isEnough(answers); at += AT_ONCE)
    answers.push(...(await Promise.all(projects.slice(at, Math.min(at + AT_ONCE, end)).map(ask))));
  return answers;
}
