import { pollProjectEvents } from "../contract/activity.ts";
import { listIssues } from "../contract/issues.ts";
import { nameMeant } from "../shared/me.ts";
import type { ToolContext } from "./tool.ts";

/**
 * Returns the name that an argument means: `me` and `@me` are the server's own actor. Refuses `me` if a person in the
 * projects in reach has this name.
 */
export async function personNamed<T extends string | undefined>(
  text: T,
  context: Pick<ToolContext, "actor" | "call" | "scope">,
): Promise<T | string> {
  if (text === undefined) return text;
  return await nameMeant(text, {
    actor: async () => await Promise.resolve(context.actor),
    isSomebody: async (name) => await isSomebody(name, context),
  });
}

/** Whether a person of this name has written something, or owns an issue, in a project in reach. */
async function isSomebody(
  name: string,
  { call, scope }: Pick<ToolContext, "call" | "scope">,
): Promise<boolean> {
  for (const { id } of await scope.projects()) {
    const params = { project_id: id };
    const { events } = await call(pollProjectEvents, {
      params,
      query: { actor: [name], limit: 1 },
    });
    if (events.some(({ actor }) => actor === name)) return true;
    const query = { owner: name, limit: 1, fields: "owner" };
    const { issues } = await call(listIssues, { params, query });
    if (issues.some(({ owner }) => owner === name)) return true;
  }
  return false;
}
