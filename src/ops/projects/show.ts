import type { showProject as contract } from "../../contract/projects.ts";
import type { Op } from "../deps.ts";
import { aliasOut, projectOut } from "../out/projects.ts";
import { findProject } from "./find.ts";

export const showProject: Op<typeof contract> = async (deps, _who, { params }) =>
  await deps.store.read(async (reader) => {
    const project = await findProject(reader, params.project_id);
    const aliases = await reader.projects.aliases(project.uid);
    return {
      project: projectOut(project),
      aliases: aliases.map((alias) => aliasOut(alias, project)),
    };
  });
