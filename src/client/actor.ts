import type { Config } from "../config/load.ts";
import { configuredProgramEnv } from "../config/secret-variables.ts";
import { type Actor, firstActor } from "../shared/actor.ts";

export type ActorSource = "flag" | "env" | "user" | "git" | "fallback";

/**
 * Returns the actor that the command line or the environment names. The command line takes precedence. Returns
 * `undefined` if neither names an actor.
 */
export function namedActor(
  { author, user }: Config["settings"],
  flag: string | undefined,
): Actor<ActorSource> | undefined {
  return firstActor<ActorSource>([
    { actor: flag, source: "flag" },
    { actor: author, source: "env" },
    { actor: user, source: "user" },
  ]);
}

/**
 * The actor of a command: the first of `--as`, `SVC_AUTHOR`, `USER` and git's `user.name` that is not blank, otherwise
 * `anonymous` (docs/contract/command-line.md#51-actor).
 */
export async function whoActs(
  config: Pick<Config, "catalog" | "settings" | "connectors" | "env">,
  flag: string | undefined,
  folder: string,
): Promise<Actor<ActorSource>> {
  const known = namedActor(config.settings, flag);
  if (known !== undefined) return known;
  const env = configuredProgramEnv(config);
  const { askGit } = await import("../config/git-run.ts");
  const name = await askGit(folder, ["config", "--get", "user.name"], env);
  return firstActor([{ actor: name, source: "git" }]) ?? { actor: "anonymous", source: "fallback" };
}
