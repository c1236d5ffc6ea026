import { pollEvents } from "../../contract/activity.ts";
import { listAllIssues } from "../../contract/issues.ts";
import type { Session } from "./session.ts";

/** Whether a person of this name has written anything, or owns an issue, in any project of the daemon. */
export async function isSomebody(session: Pick<Session, "call">, name: string): Promise<boolean> {
  const written = await session.call(pollEvents, { query: { actor: [name], limit: 1 } });
  // An older daemon may ignore the filter, so compare the actors here too.
  if (written.body().events.some(({ actor }) => actor === name)) return true;
  const query = { owner: name, status: "" as const, limit: 1, fields: "owner" };
  const owned = await session.call(listAllIssues, { query });
  return owned.body().issues.some(({ owner }) => owner === name);
}
