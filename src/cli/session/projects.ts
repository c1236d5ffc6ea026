import { call } from "../../client/call.ts";
import { SvcError } from "../../contract/errors.ts";
import { listProjects, showProject } from "../../contract/projects.ts";
import { chooseProject, type NamedProject } from "../../shared/project-choice.ts";
import { type IssuePlace, readRef } from "../../shared/ref.ts";
import type { Session } from "./session.ts";

/**
 * Finds the project, archived or not, that `text` names by id, name or repository. Without `text`, returns the project
 * that `--project`, `SVC_PROJECT` or the workspace selects.
 */
export async function selectProject(
  session: Session,
  text: string | undefined,
): Promise<NamedProject> {
  if (text === undefined) return await session.project();
  const client = await session.client();
  const { projects } = await call(client, listProjects, { query: { include: "archived" } });
  return await chooseProject(text, projects, async ({ id }) => {
    return (await call(client, showProject, { params: { project_id: id } })).aliases;
  });
}

/**
 * Finds the place of an issue, also in an archived project. Such an issue is named by its uid, or with its project:
 * `project#abc4`, or `abc4` with `--project`.
 */
export async function targetAnywhere(session: Session, text: string): Promise<IssuePlace> {
  try {
    return await session.target(text);
  } catch (error) {
    const name = archivedProject(error) ?? (await namedProject(session, text, error));
    if (name === undefined) throw error;
    return { project_id: (await selectProject(session, name)).id, ref: readRef(text).ref };
  }
}

/** The archived project of the issue that the daemon did not show. */
function archivedProject(error: unknown): string | undefined {
  if (!(error instanceof SvcError) || error.code !== "issue_not_found") return undefined;
  const { is, project } = (error.data["gone"] ?? {}) as { is?: string; project?: string };
  return is === "archived" ? project : undefined;
}

/** The project that was named, if there is no active one of this name. */
async function namedProject(
  session: Session,
  text: string,
  error: unknown,
): Promise<string | undefined> {
  const isUnknown = error instanceof SvcError && error.code === "project_not_initialized";
  return isUnknown ? (readRef(text).project ?? (await session.chosenProject())) : undefined;
}
