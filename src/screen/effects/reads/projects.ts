import type { Transport } from "../../../shared/transport.ts";
import type { MessageOf } from "../../message.ts";
import { textOf } from "../failures.ts";

export async function readProjects(daemon: Transport): Promise<MessageOf<"projects">> {
  const { projects } = await daemon.call("listProjects", { query: { include: "stats" } });
  return {
    type: "projects",
    projects: projects.map(({ id, uid, name, metadata, stats, copy_of }) => ({
      id,
      uid,
      name,
      open: stats?.open ?? 0,
      closed: stats?.closed ?? 0,
      last: stats?.last_event_at ?? undefined,
      isInbox: metadata["role"] === "inbox",
      ...(copy_of?.read_only === true ? { readOnlyCopyOf: copy_of.hub_url } : {}),
    })),
  };
}

/** Creates a project without a folder, like `svc projects create`. */
export async function makeProject(
  daemon: Transport,
  actor: string,
  name: string,
): Promise<MessageOf<"new-project">> {
  try {
    const { project, created } = await daemon.call("initProject", { body: { name, actor } });
    const { id, uid, name: called } = project;
    const item = { id, uid, name: called, open: 0, closed: 0, last: undefined };
    return { type: "new-project", project: item, created };
  } catch (error) {
    return { type: "new-project", name, error: textOf(error) };
  }
}
