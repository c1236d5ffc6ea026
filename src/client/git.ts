/** What git itself says, where its files alone cannot tell; `undefined` when there is no git or it refuses. */
export async function runGit(folder: string, args: readonly string[]): Promise<string | undefined> {
  const { spawnSync } = await import("node:child_process");
  const { status, stdout } = spawnSync("git", ["-C", folder, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 5000,
  });
  return status === 0 ? stdout : undefined;
}

/** A value of git's configuration, with its includes and conditions. */
export async function gitConfig(folder: string, key: string): Promise<string | undefined> {
  return (await runGit(folder, ["config", "--get", key]))?.split("\n", 1)[0];
}
