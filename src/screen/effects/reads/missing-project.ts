import type { Transport } from "../../../shared/transport.ts";
import type { EffectOf } from "../../effect.ts";
import type { MessageOf } from "../../message.ts";

export async function findProject(
  daemon: Transport,
  { name }: EffectOf<"find-project">,
): Promise<MessageOf<"found-project">> {
  const { projects } = await daemon.call("listProjects", { query: { include: "archived" } });
  const found = projects.find((project) => project.name === name);
  if (found === undefined) return { type: "found-project", name, is: "unknown" };
  const { id } = found;
  return { type: "found-project", name, is: found.deleted_at == null ? { id, name } : "archived" };
}
