import { SvcError } from "../../contract/errors.ts";
import type { showProject as contract } from "../../contract/projects.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { Deps, Principal } from "../deps.ts";
import { aliasOut, projectOut } from "../out/projects.ts";

/** One project with its aliases; archived ones too. */
export async function showProject(
  deps: Pick<Deps, "store">,
  _who: Principal,
  { params }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  return await deps.store.read(async (reader) => {
    const project = await reader.projects.findById(params.project_id);
    if (project === undefined) {
      throw new SvcError("project_not_found", { project_id: params.project_id });
    }
    const aliases = await reader.projects.aliases(project.uid);
    return {
      project: projectOut(project),
      aliases: aliases.map((alias) => aliasOut(alias, project)),
    };
  });
}
