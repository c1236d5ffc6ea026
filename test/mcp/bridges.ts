import type { ConnectorEntry } from "../../src/config/connectors.ts";
import { filesConnector } from "../connectors/files.ts";
import { FakeClock } from "../support/clock.ts";
import { type ToolClient, ToolWorld } from "./tools.ts";

/** The arguments of a call. */
export type Args = Readonly<Record<string, unknown>>;

export const PLAN = "# Ship it\n\nAll of it.\n";

/** Settings of a daemon with these connectors. Its clock stands still, so it runs no bridge by itself. */
export function connectedBy(...connectors: readonly { readonly entry: ConnectorEntry }[]) {
  const entries = connectors.map(({ entry }) => entry);
  return { connectors: { entries, environment: {} }, clock: new FakeClock() };
}

/** A daemon with the connector `files`, an issue of the project `web`, and a server of this project and one of all. */
export async function opened() {
  const files = filesConnector({ "plan.md": PLAN });
  const world = await ToolWorld.open(connectedBy(files));
  const { id } = await world.project("web");
  const { short_id: ref } = await world.issue(id, "old title");
  await world.project("api");
  const [all, bound] = [await world.serve("all"), await world.serve("web")];
  return { world, files, ref, all, bound };
}

export async function bound(publish_comments?: boolean) {
  const w = await opened();
  const args = { ref: `web#${w.ref}`, connector: "files", external: "plan.md" };
  await answered(w.all, "bridge_bind", { ...args, publish_comments });
  return w;
}

export async function answered(client: ToolClient, name: string, args: Args = {}) {
  const { answer, failure } = await client.call(`svc.${name}`, args);
  if (failure !== undefined) throw new Error(`svc.${name}: ${failure}`);
  return answer;
}

export async function refused(client: ToolClient, name: string, args: Args = {}): Promise<string> {
  const { answer, failure } = await client.call(`svc.${name}`, args);
  if (failure === undefined)
    throw new Error(`svc.${name} was not refused: ${JSON.stringify(answer)}`);
  return failure;
}
