import { dirname, join } from "node:path";
import { writeWhole } from "../base/whole-file.ts";
import type { Env } from "./env.ts";
import { firstUpwards, statOf } from "./git-dir.ts";
import { type Origin, parseOrigin } from "./origins.ts";
import {
  fileError,
  isTable,
  leavesOf,
  parseToml,
  readIfThere,
  type TomlTable,
  tomlText,
} from "./toml.ts";

export const WORKSPACE_FILE = ".svc.toml";
export const LOCAL_FILE = ".svc.local.toml";

/**
 * The settings of a workspace, from the files in and above a folder (docs/contract/command-line.md#33-workspace-files).
 */
export interface Workspace {
  /** The nearest `.svc.toml`. */
  readonly file: WorkspaceFile | undefined;
  /** The project that `.svc.local.toml` names. */
  readonly overlay: string | undefined;
  readonly server: WorkspaceServer | undefined;
  readonly warnings: readonly string[];
}

export interface WorkspaceFile {
  readonly path: string;
  readonly root: string;
  readonly project: string;
}

export interface WorkspaceServer {
  readonly origin: Origin;
  readonly allowInsecure: boolean;
}

export async function readWorkspace(start: string, env: Env): Promise<Workspace> {
  const shared = fileUpwards(start, WORKSPACE_FILE);
  const project = shared === undefined ? undefined : await readShared(shared.path, shared.text);
  const file =
    shared === undefined || project === undefined
      ? undefined
      : { path: shared.path, root: dirname(shared.path), project };
  const warnings: string[] = [];
  const local = findLocal(start, warnings);
  if (local === undefined) return { file, overlay: undefined, server: undefined, warnings };
  return { file, ...(await readLocal(local, env, warnings)), warnings };
}

interface FoundFile {
  readonly path: string;
  readonly text: string;
}

function fileUpwards(start: string, name: string): FoundFile | undefined {
  return firstUpwards(start, (folder) => {
    const path = join(folder, name);
    const text = readIfThere(path);
    return text === undefined ? undefined : { path, text };
  });
}

/**
 * Uses `.svc.local.toml` only at or below the nearest folder with `.svc.toml` or `.git`. A file further up belongs to
 * another workspace and must not redirect the calls of this one.
 */
function findLocal(start: string, warnings: string[]): FoundFile | undefined {
  let local: FoundFile | undefined;
  const anchor = firstUpwards(start, (folder) => {
    local ??= tryRead(join(folder, LOCAL_FILE), warnings);
    const isAnchor = exists(join(folder, WORKSPACE_FILE)) || exists(join(folder, ".git"));
    return isAnchor ? folder : undefined;
  });
  return anchor === undefined ? undefined : local;
}

function tryRead(path: string, warnings: string[]): FoundFile | undefined {
  try {
    const text = readIfThere(path);
    return text === undefined ? undefined : { path, text };
  } catch (error) {
    warnings.push(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

function exists(path: string): boolean {
  try {
    return statOf(path) !== undefined;
  } catch {
    return false;
  }
}

/**
 * The exact form in which svc writes `.svc.toml`. Nearly every workspace has it, so it is read without the TOML parser.
 */
const PLAIN = /^version = 1\n\n\[project\]\nname = "([^"\\\p{Cc}]+)"\n$/u;

async function readShared(path: string, text: string): Promise<string> {
  const plain = PLAIN.exec(text)?.[1];
  if (plain !== undefined) return plain;
  const table = await parseToml(text, path);
  const values = checkedValues(table, ["version", "project.name"], path);
  const name = projectName(values, path);
  if (name === undefined) throw fileError(path, "names no project ([project] name)");
  return name;
}

async function readLocal(
  { path, text }: FoundFile,
  env: Env,
  warnings: string[],
): Promise<Pick<Workspace, "overlay" | "server">> {
  const known = ["version", "project.name", "server.url", "server.allow_insecure"];
  const values = checkedValues(await parseToml(text, path), known, path);
  const overlay = projectName(values, path);
  const server = readServer(values, path);
  if (server === undefined) return { overlay, server };
  const { isTracked } = await import("./git-tracked.ts");
  if (!(await isTracked(path, env))) return { overlay, server };
  warnings.push(
    `${path} is tracked by git, so its [server] does not count: it is for this machine only`,
  );
  return { overlay, server: undefined };
}

type Values = ReadonlyMap<string, unknown>;

function checkedValues(table: TomlTable, known: readonly string[], path: string): Values {
  const values = leavesOf(table);
  for (const [key, value] of values) {
    const emptyTable = isTable(value) && known.some((name) => name.startsWith(`${key}.`));
    if (!known.includes(key) && !emptyTable) {
      throw fileError(path, `has the unknown key ${JSON.stringify(key)}`);
    }
  }
  const version = values.get("version");
  if (version === undefined) throw fileError(path, "must start with version = 1");
  if (version !== 1) {
    throw fileError(
      path,
      "has a version other than 1",
      undefined,
      "a newer svc may be able to read it",
    );
  }
  return values;
}

function projectName(values: Values, path: string): string | undefined {
  const name = values.get("project.name");
  if (name === undefined) return undefined;
  if (typeof name === "string" && name.trim() !== "") return name;
  throw fileError(path, "must have text as [project] name");
}

function readServer(values: Values, path: string): WorkspaceServer | undefined {
  const url = values.get("server.url");
  const allowInsecure = values.get("server.allow_insecure") ?? false;
  if (typeof allowInsecure !== "boolean") {
    throw fileError(path, "must have true or false as [server] allow_insecure");
  }
  if (url === undefined) return undefined;
  if (typeof url !== "string") throw fileError(path, "must have text as [server] url");
  return { origin: parseOrigin(url, `[server] url of ${path}`), allowInsecure };
}

/** Binds the folder to the project. The file is committed to the repository, so it holds only the name. */
export function writeWorkspaceFile(root: string, project: string): string {
  const path = join(root, WORKSPACE_FILE);
  try {
    writeWhole(path, formatWorkspaceFile(project), 0o666);
  } catch (cause) {
    throw fileError(path, "cannot be written", cause);
  }
  return path;
}

export function formatWorkspaceFile(project: string): string {
  return `version = 1\n\n[project]\nname = ${tomlText(project)}\n`;
}
