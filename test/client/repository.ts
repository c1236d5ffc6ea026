import { spawnSync } from "node:child_process";
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { folderWith } from "../config/folder.ts";

/** A folder for repositories, with its real path and its own git configuration. */
export class Repositories {
  readonly root = realpathSync(
    folderWith({ "home/.gitconfig": "[user]\n\tname = Git Person\n\temail = g@example.com\n" }),
  );
  readonly env = {
    HOME: join(this.root, "home"),
    PATH: process.env["PATH"] ?? "",
    GIT_CONFIG_NOSYSTEM: "1",
  };

  at(name: string): string {
    return join(this.root, name);
  }

  git(name: string, ...args: readonly string[]): string {
    const folder = this.at(name);
    mkdirSync(folder, { recursive: true });
    const { status, stdout, stderr } = spawnSync("git", ["-C", folder, ...args], {
      encoding: "utf8",
      env: this.env,
    });
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
    return stdout;
  }

  /** Makes a repository with one commit. */
  create(name: string, remotes: Readonly<Record<string, string>> = {}): string {
    this.git(name, "init", "-q", "-b", "main");
    this.git(name, "commit", "-q", "--allow-empty", "-m", "first");
    for (const [remote, url] of Object.entries(remotes))
      this.git(name, "remote", "add", remote, url);
    return this.at(name);
  }
}
