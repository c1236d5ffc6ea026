import type { Target } from "../../client/target.ts";
import { invalid } from "../../contract/errors.ts";
import type { Host, Launch, Scope } from "./hosts.ts";

/**
 * Throws if the daemon selected here comes from the workspace's own file and the server would not find that file. The
 * server would then use another daemon.
 */
export function requireSameServer(
  host: Host,
  scope: Scope,
  target: Target,
  args: readonly string[],
): void {
  const isOfWorkspace = target.kind === "remote" && target.from === "[server] url";
  const startsThere = host.startsInProject.includes(scope) || args.includes("--workspace");
  if (!isOfWorkspace || startsThere) return;
  throw invalid(
    `${host.title} may start the server outside of this folder, whose .svc.local.toml names the daemon ${target.origin.text}`,
    "name the daemon as a [[daemon]] in config.toml, and give it with --daemon; or give --workspace instead of projects",
  );
}

/** Throws if an argument or variable of the entry contains a text that the host would replace. */
export function requireUnreplaced({ title, replaces, folderVariable }: Host, launch: Launch): void {
  if (replaces === undefined) return;
  const { command, args, env } = launch;
  const texts = [
    command,
    ...args.filter((arg) => arg !== folderVariable),
    ...Object.values(env.values),
  ];
  const text = texts.find((one) => replaces.test(one));
  if (text === undefined) return;
  throw invalid(
    `${title} would replace a part of ${JSON.stringify(text)}`,
    "use a name without it",
  );
}
