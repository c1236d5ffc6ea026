import type { initProject, listProjects, showProject } from "../../contract/projects.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, header, line, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { padEnd, padStart } from "./width.ts";

type ShownProject = Output<typeof showProject>;

export const projectListView: View<Output<typeof listProjects>> = {
  human: ({ projects }, { paint, quiet }) => {
    if (projects.length === 0)
      return quiet ? "" : "No projects. svc init makes one for this directory.";
    const width = Math.max(...projects.map(({ id }) => String(id).length));
    return projects
      .map(({ id, name }) => `${padStart(String(id), width)}  ${paint("strong", oneLine(name))}`)
      .join("\n");
  },
  agent: ({ projects }, quiet) => {
    const rows = projects.map(({ id, name, uid, stats }) =>
      row({ id, name, uid, open: stats?.open, closed: stats?.closed }),
    );
    return agentOutput(header("projects", { count: projects.length }), rows, quiet);
  },
};

export const projectView: View<ShownProject> = {
  human: ({ project, aliases }, { paint }) => {
    const { name, id, uid, deleted_at } = project;
    const archived = deleted_at === undefined ? "" : "  [archived]";
    return [
      `${paint("strong", oneLine(name))}${archived}`,
      `${padEnd("id", 8)}${id}`,
      `${padEnd("uid", 8)}${uid}`,
      ...aliases.map(
        ({ alias_kind, alias_identity }) =>
          `${padEnd("alias", 8)}${oneLine(alias_identity)} (${alias_kind})`,
      ),
    ].join("\n");
  },
  agent: (shown, quiet) => agentOutput(header("project"), projectLines(shown), quiet),
};

export function renamedView(changed: boolean): View<ShownProject> {
  return {
    human: ({ project }) =>
      `project ${changed ? "renamed to" : "is called"} ${oneLine(project.name)}`,
    agent: (shown, quiet) => agentOutput(header("rename", { changed }), projectLines(shown), quiet),
  };
}

function projectLines({ project, aliases }: ShownProject): readonly string[] {
  return [
    ...line("Project", project.name),
    ...line("Id", project.id),
    ...line("Uid", project.uid),
    ...aliases.flatMap(({ alias_kind, alias_identity }) =>
      line("Alias", `${alias_kind} ${alias_identity}`),
    ),
  ];
}

export const createdProjectView: View<Output<typeof initProject>> = {
  human: ({ project, created }) => {
    const named = `project #${project.id} (${oneLine(project.name)})`;
    return created ? `created ${named}` : `${named} exists already`;
  },
  agent: ({ project, created }, quiet) =>
    agentOutput(header("project", { id: project.id, name: project.name, created }), [], quiet),
};
