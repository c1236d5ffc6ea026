import { lstatSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LOCAL_FILE } from "../../config/workspace.ts";
import { invalid } from "../../contract/errors.ts";
import { withAgentsBlock } from "./guide.ts";

/** Instruction files of coding agents. If none of them exists, the first is created. */
const AGENT_FILES = ["AGENTS.md", "CLAUDE.md", "GEMINI.md"] as const;

interface AgentFile {
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/**
 * Reads the instruction files to refresh, before anything is changed. A symbolic link is refused unless it points to
 * another of these files.
 */
export function agentFiles(root: string): readonly AgentFile[] {
  const found = AGENT_FILES.map((name) => ({
    name,
    path: join(root, name),
    kind: kindOf(join(root, name)),
  }));
  const files = found.filter(({ kind }) => kind === "file");
  const own = new Set(files.map(({ path }) => realpathSync(path)));
  for (const { name, path, kind } of found) {
    if (kind === "link" && !leadsTo(path, own)) {
      throw invalid(
        `${name} is a symbolic link, which --with-agents does not follow`,
        "put the block into the file itself, or leave --with-agents out",
      );
    }
    if (kind === "other") throw invalid(`${name} is no file`);
  }
  if (files.length === 0)
    return [{ name: AGENT_FILES[0], path: join(root, AGENT_FILES[0]), text: "" }];
  return files.map(({ name, path }) => ({ name, path, text: readFileSync(path, "utf8") }));
}

function kindOf(path: string): "none" | "file" | "link" | "other" {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return "none";
  if (found.isSymbolicLink()) return "link";
  return found.isFile() ? "file" : "other";
}

function leadsTo(link: string, files: ReadonlySet<string>): boolean {
  try {
    return files.has(realpathSync(link));
  } catch {
    return false;
  }
}

export function refreshAgentFiles(files: readonly AgentFile[]): readonly string[] {
  return files.flatMap(({ name, path, text }) => {
    const fresh = withAgentsBlock(text);
    if (fresh === text) return [];
    writeFileSync(path, fresh);
    return [name];
  });
}

/** Adds the workspace file with this machine's own settings to .gitignore; returns a warning if that fails. */
export function ignoreLocalFile(root: string): string | undefined {
  const path = join(root, ".gitignore");
  try {
    const text = kindOf(path) === "none" ? "" : readFileSync(path, "utf8");
    const lines = text.split(/\r?\n/).map((line) => line.trim());
    if (lines.includes(LOCAL_FILE) || lines.includes(`/${LOCAL_FILE}`)) return undefined;
    const before = text === "" || text.endsWith("\n") ? text : `${text}\n`;
    writeFileSync(path, `${before}${LOCAL_FILE}\n`);
    return undefined;
  } catch (error) {
    return `${LOCAL_FILE} is not in .gitignore, which cannot be written (${error instanceof Error ? error.message : String(error)})`;
  }
}
