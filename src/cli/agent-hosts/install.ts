import { accessSync, constants, lstatSync, realpathSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../../base/clock.ts";
import { makeFolders } from "../../base/folders.ts";
import { plainTable } from "../../config/edit.ts";
import { realPath, statOf } from "../../config/git-dir.ts";
import { openReplacement } from "../../config/replacement-file.ts";
import { fileError, isTable } from "../../config/toml.ts";
import type { HostPlan } from "../bases/agent-host-command.ts";
import { CommandError } from "../failure/failure.ts";
import { documentIn, type HostText, readHostText } from "./host-file.ts";
import type { Host, Scope } from "./hosts.ts";
import { withJsonValue } from "./json-entry.ts";
import { SERVER_NAME, snippetOf } from "./snippet.ts";
import { withTomlTable } from "./toml-entry.ts";

export interface Change<Action extends string = "created" | "added" | "replaced" | "unchanged"> {
  readonly action: Action;
  readonly before: HostText | undefined;
  /** The new text; `undefined` removes the file. */
  readonly after: string | undefined;
}

/** The host's file. A file of the scope `project` must lie inside `root`, even after symbolic links are resolved. */
export interface HostFile {
  readonly host: Host;
  readonly scope: Scope;
  readonly path: string;
  readonly root: string | undefined;
}

type PlannedFile = HostPlan & HostFile;

/** Computes how the host's file is changed. Throws if other content of the file would be lost. */
export async function changeOf(plan: PlannedFile, force: boolean): Promise<Change> {
  const { host, entry, path, text } = plan;
  requirePlainFile(plan, (what) => unwritableError(plan, what));
  const before = readHostText(path);
  if (before === undefined || before.text.trim() === "")
    return { action: "created", before, after: `${text}\n` };
  const document = await documentIn(host, path, before.text);
  const servers = Object.hasOwn(document, host.servers) ? document[host.servers] : {};
  if (!isTable(servers)) throw unwritableError(plan, `has ${host.servers} that is no object`);
  // svc writes its entry directly into `servers`, so refuse a file that keeps its servers under the key that a newer
  // version of the host uses. If the object under that key has a `type`, it is itself a server.
  const newer = host.newerServers === undefined ? undefined : servers[host.newerServers];
  if (isTable(newer) && !("type" in newer))
    throw unwritableError(plan, `has its servers in ${host.servers}.${host.newerServers}`);
  const known = Object.hasOwn(servers, SERVER_NAME) ? servers[SERVER_NAME] : undefined;
  if (known !== undefined && hasAll(known, entry))
    return { action: "unchanged", before, after: before.text };
  if (known !== undefined && !force) {
    throw new CommandError("conflict", `${path} has another entry ${SERVER_NAME}`, {
      hint: "--force replaces it, and --dry-run --force shows by what",
    });
  }
  const after = edited(plan, before.text);
  const wanted = { ...document, [host.servers]: { ...servers, [SERVER_NAME]: entry } };
  // Parse the changed text and compare it with the wanted content, because the text edit does not know every form that
  // a file may have.
  const found =
    after === undefined ? undefined : await documentIn(host, path, after).catch(() => undefined);
  if (after === undefined || !isDeepStrictEqual(plainTable(found), plainTable(wanted)))
    throw unwritableError(plan, "cannot be changed by svc as it is written");
  return { action: known === undefined ? "added" : "replaced", before, after };
}

/**
 * Replaces the file with the changed text in one step, so that no program reads a part of it. The file keeps its
 * permissions and its byte order mark. Throws if the file was changed since the change was computed.
 */
export async function writeChange(
  file: HostFile,
  { before, after }: Change<string>,
  clock: Clock,
): Promise<void> {
  const { path, scope } = file;
  const isShared = scope === "project";
  makeFolders(dirname(path), isShared ? 0o777 : 0o700);
  const replacement = await openReplacement(path, clock);
  try {
    requirePlainFile(file);
    if (!isDeepStrictEqual(readHostText(path), before))
      throw fileError(path, "was changed by somebody else meanwhile", undefined, "try again");
    const fresh = isShared ? 0o666 & ~process.umask() : 0o600;
    if (after === undefined) rmSync(path);
    else replacement.put((before?.mark ?? "") + after, (statOf(path)?.mode ?? fresh) & 0o777);
  } finally {
    replacement.drop();
  }
}

/** Refuses a symbolic link, because writing to it would change a file in another place. */
export function requirePlainFile(
  { path, root, scope }: HostFile,
  refusal = (what: string): Error => fileError(path, what),
): void {
  const folder = dirname(path);
  if (scope === "project" && root !== undefined && statOf(folder) !== undefined) {
    if (realPath(folder) !== join(realpathSync(root), relative(root, folder)))
      throw refusal("is behind a link that leads out of the workspace");
  }
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isSymbolicLink()) throw refusal("is a symbolic link, which svc does not follow");
  if (!found.isFile()) throw refusal("is no file");
  try {
    accessSync(path, constants.W_OK);
  } catch (cause) {
    throw fileError(path, "cannot be written", cause, `chmod u+w ${path}`);
  }
}

function edited({ host, entry, text }: PlannedFile, before: string): string | undefined {
  if (host.format === "json") return withJsonValue(before, [host.servers, SERVER_NAME], entry);
  return withTomlTable(before, `${host.servers}.${SERVER_NAME}`, text);
}

/** True if the known entry has every member of the new entry. A person may have added other members. */
function hasAll(known: unknown, entry: PlannedFile["entry"]): boolean {
  if (!isTable(known)) return false;
  return Object.entries(entry).every(([key, value]) => isDeepStrictEqual(known[key], value));
}

/**
 * The error for a file that cannot be changed. It contains the entry to paste. It contains nothing of the file, which
 * may have secrets.
 */
function unwritableError({ host, entry, path }: PlannedFile, what: string): CommandError {
  const text = snippetOf(host, entry, {});
  return new CommandError("validation", `${path} ${what}`, {
    code: "validation",
    hint: "put the entry in by hand, svc mcp config prints it",
    data: { text },
  });
}
