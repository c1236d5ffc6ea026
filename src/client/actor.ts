import type { Config } from "../config/load.ts";

export type ActorSource = "flag" | "env" | "user" | "git" | "fallback";

export interface Actor {
  readonly actor: string;
  readonly source: ActorSource;
}

/** Who acts: `--as` > `SVC_AUTHOR` > `USER` > git's `user.name` > `anonymous`; blank ones are passed over (doc 3). */
export async function whoActs(
  { settings, env }: Pick<Config, "settings" | "env">,
  flag: string | undefined,
  folder: string,
): Promise<Actor> {
  const known = [
    { actor: flag, source: "flag" },
    { actor: settings.author, source: "env" },
    { actor: settings.user, source: "user" },
  ] as const;
  for (const { actor = "", source } of known) {
    if (actor.trim() !== "") return { actor: actor.trim(), source };
  }
  const { askGit } = await import("../config/git-run.ts");
  const name = (await askGit(folder, ["config", "--get", "user.name"], env))?.trim() ?? "";
  return name === "" ? { actor: "anonymous", source: "fallback" } : { actor: name, source: "git" };
}
