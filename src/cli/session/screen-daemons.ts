import { Client } from "../../client/client.ts";
import { selectTarget, type Target, tokenFor } from "../../client/target.ts";

export interface ScreenDaemon {
  readonly name: string;
  readonly endpoint: string;
  readonly hasToken: boolean;
  readonly allowInsecure: boolean;
}

export interface ScreenDaemons {
  readonly current: string;
  readonly daemons: readonly ScreenDaemon[];
  /** Returns a client for the daemon; the daemon is located at the client's first call. */
  open(name: string): Client;
}

/**
 * The daemons of the catalog in `config.toml`, this machine's own daemon, and the selected daemon if it is not among
 * these daemons.
 */
export function screenDaemons(client: Client): ScreenDaemons {
  const { config, workspace, target } = client;
  const targets = new Map<string, () => Target>();
  for (const { name } of config.catalog)
    targets.set(name, () => selectTarget(config, workspace, name));
  const own = { kind: "local", source: "local_default", entry: undefined } as const;
  if (!config.catalog.some(({ origin }) => origin === undefined))
    targets.set(targets.has("local") ? "this machine" : "local", () => own);
  const current = nameOf(target, targets);
  if (!targets.has(current)) targets.set(current, () => target);
  return {
    current,
    daemons: [...targets].map(([name, select]) => ({
      name,
      ...screenDaemon(client, name, select),
    })),
    open: (name) => {
      const select = targets.get(name) ?? ((): Target => target);
      const { program } = client;
      return new Client({ config, workspace, program, target: select(), warnings: [] }, true);
    },
  };
}

/**
 * Returns the name under which a daemon is listed: the name of its catalog entry, or its URL if it has no entry. This
 * machine's daemon is listed as `local`, or as `this machine` if a catalog entry is named `local`.
 */
function nameOf(target: Target, targets: ReadonlyMap<string, unknown>): string {
  if (target.entry !== undefined) return target.entry.name;
  if (target.kind === "remote") return target.origin.text;
  return targets.has("this machine") ? "this machine" : "local";
}

/** A catalog entry whose URL is not allowed is listed too. Choosing it shows the error with the reason. */
function screenDaemon(
  { config }: Client,
  name: string,
  select: () => Target,
): Omit<ScreenDaemon, "name"> {
  const entry = config.catalog.find((one) => one.name === name);
  const allowInsecure = entry?.allowInsecure === true;
  try {
    const target = select();
    const endpoint = target.kind === "remote" ? target.origin.text : "this machine";
    return { endpoint, allowInsecure, hasToken: tokenFor(config, target) !== undefined };
  } catch {
    return { endpoint: entry?.origin?.text ?? "this machine", allowInsecure, hasToken: false };
  }
}
