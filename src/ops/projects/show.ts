import type { showProject as contract } from "../../contract/projects.ts";
import type { Op } from "../deps.ts";
import { requireAnyProject } from "../find.ts";
import { aliasOut, projectOut } from "../out/projects.ts";

export const showProject: Op<typeof contract> = async (deps, _who, { params }) =>
  await deps.store.read(async (reader) => {
    const project = await requireAnyProject(reader, params.project_id);
    const aliases = await reader.projects.aliases(project.uid);
    return {
      project: projectOut(project),
      aliases: aliases.map((alias) => aliasOut(alias, project)),
    };
  });
