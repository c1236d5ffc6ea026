import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import type { getFederationStatus } from "../../src/contract/federation-status.ts";
import type { Output } from "../../src/contract/route.ts";
import { type Answer, type CallOptions, call } from "../support/daemon.ts";
import { freePort } from "../support/free-port.ts";
import { type Network, openNetwork } from "../support/network.ts";
import { type Box, box } from "./box.ts";

const SOON = { timeout: 60_000, interval: 100 };

/** A machine with the project web. */
export interface Machine {
  readonly box: Box;
  /** The id of the project there. */
  readonly project: number;
  /** Sends a request below the project to the daemon, which must run. */
  ask(method: string, path: string, options?: CallOptions): Promise<Answer>;
}

export interface Spoke extends Machine {
  /** What lies between it and the hub. */
  readonly network: Network;
  status(): Promise<Status>;
}

type Status = Output<typeof getFederationStatus>["statuses"][number];

interface Options {
  readonly spokes: number;
  readonly capabilities?: string;
  /** The environment of each spoke. */
  readonly env?: Readonly<Record<string, string>>;
  readonly hubEnv?: Readonly<Record<string, string>>;
  /** How many issues the project has at first. */
  readonly issues?: number;
}

/** A hub of the project web and machines with copies of it, whose daemons run and have read it. */
export async function hubAndSpokes({
  spokes: count,
  capabilities = "pull,push,lease",
  env = {},
  hubEnv = {},
  issues = 0,
}: Options): Promise<{ readonly hub: Machine; readonly spokes: readonly Spoke[] }> {
  const at = box(hubEnv);
  mkdirSync(at.home, { mode: 0o700 });
  const port = await freePort();
  const listen = `listen = ["unix://${at.folder}/hub.sock", "127.0.0.1:${port}"]\n`;
  writeFileSync(join(at.home, "config.toml"), listen, { mode: 0o600 });
  await at.json("projects", "create", "web");
  const hub = await machineAt(at);
  const items = Array.from({ length: issues }, (_, n) => itemOf(n));
  const filled = await hub.ask("POST", "/imports", {
    body: { actor: "ann", source: "beads", items },
  });
  if (filled.status !== 200) throw new Error(filled.text);
  const spokes: Spoke[] = [];
  for (let n = 0; n < count; n += 1) spokes.push(await spokeOf(at, { port, env, capabilities }));
  for (const spoke of spokes)
    await vi.waitFor(async () => {
      const { body } = await spoke.ask("GET", "/issues?limit=1000");
      const { length } = (body as { readonly issues?: readonly unknown[] }).issues ?? [];
      if (length !== issues) throw new Error(`the copy has ${length} issues`);
    }, SOON);
  return { hub, spokes };
}

function itemOf(n: number) {
  const at = "2025-06-01T10:00:00Z";
  const about = { title: `issue ${n}`, author: "ann", status: "open" };
  return { external_id: `x-${n}`, ...about, created_at: at, updated_at: at };
}

/** The machine of a box that has the project web. Starts its daemon. */
async function machineAt(at: Box): Promise<Machine> {
  const { address } = await at.json<{ address: string }>("daemon", "start");
  const endpoint = { network: "unix", address: address.replace(/^unix:\/\//, "") } as const;
  const { project } = await at.json<{ project: { id: number } }>("projects", "show", "web");
  return {
    box: at,
    project: project.id,
    ask: async (method, path, options) =>
      await call(endpoint, method, `/projects/${project.id}${path}`, options),
  };
}

interface Joining {
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
  readonly capabilities: string;
}

async function spokeOf(hub: Box, { port, env, capabilities }: Joining): Promise<Spoke> {
  const at = box({ SVC_FEDERATION_PULL_INTERVAL_MS: "500", ...env });
  const { instance_uid } = await at.json<{ instance_uid: string }>("federation", "identity");
  const { token, project_id } = await hub.json<{ token: string; project_id: number }>(
    ...["federation", "enroll", "web", "--spoke-instance", instance_uid, "--actor", "sam"],
    ...["--capabilities", capabilities],
  );
  const file = join(at.folder, "token");
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  const network = await openNetwork(`http://127.0.0.1:${port}`);
  onTestFinished(async () => await network.close());
  await at.json(
    ...["federation", "join", "--hub-url", `http://127.0.0.1:${network.port}`],
    ...["--hub-project-id", String(project_id), "--push", "--token-file", file],
  );
  const machine = await machineAt(at);
  const status = async (): Promise<Status> => {
    const { body } = await machine.ask("GET", "/federation/status");
    const { statuses } = body as Output<typeof getFederationStatus>;
    const [first] = statuses;
    if (first === undefined) throw new Error("the project is no copy");
    return first;
  };
  return { ...machine, network, status };
}
