import { accessSync, constants, lstatSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../../base/clock.ts";
import { makeFolders } from "../../base/folders.ts";
import { utf8Text } from "../../base/utf8.ts";
import { plainTable } from "../../config/edit.ts";
import { realPath, statOf } from "../../config/git-dir.ts";
import { openReplacement } from "../../config/replacement-file.ts";
import { fileError, isTable, parseToml, type TomlTable } from "../../config/toml.ts";
import type { HostPlan } from "../agent-host-command.ts";
import { CommandError } from "../failure.ts";
import { withJsonValue } from "./json-entry.ts";
import { SERVER_NAME, snippetOf } from "./snippet.ts";
import { withTomlTable } from "./toml-entry.ts";

export interface Change {
  readonly action: "created" | "added" | "replaced" | "unchanged";
  readonly before: string | undefined;
  readonly after: string;
}

type Planned = HostPlan & { readonly path: string };

/** Computes how the host's file is changed. Throws if other content of the file would be lost. */
export async function changeOf(plan: Planned, force: boolean): Promise<Change> {
  const { host, entry, path, text } = plan;
  requirePlainFile(plan);
  const before = readText(path);
  if (before === undefined || before.trim() === "")
    return { action: "created", before, after: `${text}\n` };
  const document = await documentOf(plan, before);
  const servers = Object.hasOwn(document, host.servers) ? document[host.servers] : {};
  if (!isTable(servers)) throw unwritable(plan, `has ${host.servers} that is no object`);
  // svc writes its entry directly into `servers`, so refuse a file that keeps its servers under the key that a newer
  // version of the host uses. If the object under that key has a `type`, it is itself a server.
  const newer = host.newerServers === undefined ? undefined : servers[host.newerServers];
  if (isTable(newer) && !("type" in newer))
    throw unwritable(plan, `has its servers in ${host.servers}.${host.newerServers}`);
  const known = Object.hasOwn(servers, SERVER_NAME) ? servers[SERVER_NAME] : undefined;
  if (known !== undefined && hasAll(known, entry))
    return { action: "unchanged", before, after: before };
  if (known !== undefined && !force) {
    throw new CommandError("conflict", `${path} has another entry ${SERVER_NAME}`, {
      hint: "--force replaces it, and --dry-run --force shows by what",
    });
  }
  const after = edited(plan, before);
  const wanted = { ...document, [host.servers]: { ...servers, [SERVER_NAME]: entry } };
  // Parse the changed text and compare it with the wanted content, because the text edit does not know every form that
  // a file may have.
  const found =
    after === undefined ? undefined : await documentOf(plan, after).catch(() => undefined);
  if (after === undefined || !isDeepStrictEqual(plainTable(found), plainTable(wanted)))
    throw unwritable(plan, "cannot be changed by svc as it is written");
  return { action: known === undefined ? "added" : "replaced", before, after };
}

/**
 * Replaces the file with the changed text in one step, so that no program reads a part of it. The file keeps its
 * permissions. Throws if the file was changed since the change was computed.
 */
export async function writeChange(plan: Planned, change: Change, clock: Clock): Promise<void> {
  const { path, scope } = plan;
  const isShared = scope === "project";
  makeFolders(dirname(path), isShared ? 0o777 : 0o700);
  const replacement = await openReplacement(path, clock);
  try {
    requirePlainFile(plan);
    if (readText(path) !== change.before)
      throw fileError(path, "was changed by somebody else meanwhile", undefined, "try again");
    const fresh = isShared ? 0o666 & ~process.umask() : 0o600;
    replacement.put(change.after, (statOf(path)?.mode ?? fresh) & 0o777);
  } finally {
    replacement.drop();
  }
}

/** Refuses symbolic links, through which this write could change a file elsewhere. */
function requirePlainFile(plan: Planned): void {
  const { path, root, scope } = plan;
  const folder = dirname(path);
  if (scope === "project" && root !== undefined && statOf(folder) !== undefined) {
    if (realPath(folder) !== join(realpathSync(root), relative(root, folder)))
      throw unwritable(plan, "is behind a link that leads out of the workspace");
  }
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isSymbolicLink())
    throw unwritable(plan, "is a symbolic link, which svc does not follow");
  if (!found.isFile()) throw unwritable(plan, "is no file");
  try {
    accessSync(path, constants.W_OK);
  } catch (cause) {
    throw fileError(path, "cannot be written", cause, `chmod u+w ${path}`);
  }
}

function readText(path: string): string | undefined {
  if (statOf(path) === undefined) return undefined;
  const bytes = readFileSync(path);
  const text = utf8Text(bytes);
  // The file has a byte order mark, which is lost when the text is decoded, or it is not UTF-8. Refuse it, because the
  // written file would then differ in more than the entry.
  if (text === undefined || Buffer.byteLength(text) !== bytes.length)
    throw fileError(
      path,
      "is not plain UTF-8 text",
      undefined,
      "save it as UTF-8 without a byte order mark",
    );
  return text;
}

async function documentOf(plan: Planned, text: string): Promise<TomlTable> {
  if (plan.host.format === "toml") return await parseToml(text, plan.path);
  const document = parsedJson(text);
  if (!isTable(document)) throw unwritable(plan, "has comments or is no JSON object");
  return document;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function edited({ host, entry, text }: Planned, before: string): string | undefined {
  if (host.format === "json") return withJsonValue(before, [host.servers, SERVER_NAME], entry);
  return withTomlTable(before, `${host.servers}.${SERVER_NAME}`, text);
}

/** True if the known entry has every member of the new entry. A person may have added other members. */
function hasAll(known: unknown, entry: Planned["entry"]): boolean {
  if (!isTable(known)) return false;
  return Object.entries(entry).every(([key, value]) => isDeepStrictEqual(known[key], value));
}

/** The error contains the entry to paste, but nothing of the file, which may contain secrets. */
function unwritable({ host, entry, path }: Planned, what: string): CommandError {
  const text = snippetOf(host, entry, {});
  return new CommandError("validation", `${path} ${what}`, {
    code: "validation",
    hint: "put the entry in by hand, svc mcp config prints it",
    data: { text },
  });
}
