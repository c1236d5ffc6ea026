import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../base/json.ts";
import { plainTable } from "../../config/edit.ts";
import { isTable, type TomlTable } from "../../config/toml.ts";
import { invalid } from "../../contract/errors.ts";
import { CommandError } from "../failure/failure.ts";
import { configuredIn } from "./configured.ts";
import { documentIn, readHostText } from "./host-file.ts";
import type { Host } from "./hosts.ts";
import { type Change, type HostFile, requirePlainFile } from "./install.ts";
import { withJsonValue, withoutJsonMember } from "./json-entry.ts";
import { SERVER_NAME, snippetOf } from "./snippet.ts";
import { withoutTomlTable } from "./toml-entry.ts";

/**
 * Computes the host's file without the entry for svc. This is the reverse of `svc mcp install`: every other character
 * stays. Throws if the entry does not start `svc mcp serve`, unless `force` is given.
 */
export async function removalOf(
  file: HostFile,
  force: boolean,
): Promise<Change<"removed" | "absent">> {
  const { host, path } = file;
  requirePlainFile(file);
  const before = readHostText(path);
  const absent = { action: "absent", before, after: before?.text } as const;
  if (before === undefined || before.text.trim() === "") return absent;
  const document = await documentIn(host, path, before.text);
  const entry = entryIn(host, document);
  if (entry === undefined) return absent;
  if (!force && !isOurs(host, entry))
    throw new CommandError(
      "conflict",
      `${path} has an entry ${SERVER_NAME} that starts something else`,
      {
        hint: "--force removes it",
      },
    );
  const after =
    host.format === "toml" ? withoutToml(host, before.text) : withoutJson(host, before.text, entry);
  if (after === undefined || !(await isWithout(file, document, after)))
    throw invalid(
      `the entry ${SERVER_NAME} in ${path} cannot be removed by svc as it is written`,
      "remove it by hand",
    );
  return { action: "removed", before, after: after === "" ? undefined : after };
}

/** The entry for svc in a host's document; `undefined` if there is none. */
export function entryIn(host: Host, document: TomlTable): unknown {
  const servers = Object.hasOwn(document, host.servers) ? document[host.servers] : undefined;
  return isTable(servers) && Object.hasOwn(servers, SERVER_NAME) ? servers[SERVER_NAME] : undefined;
}

function isOurs(host: Host, entry: unknown): boolean {
  const { args = [] } = configuredIn(host, entry, { env: {}, folder: "" }) ?? {};
  return args.some((word, at) => word === "mcp" && args[at + 1] === "serve");
}

function withoutToml(host: Host, text: string): string | undefined {
  return withoutTomlTable(text, `${host.servers}.${SERVER_NAME}`);
}

/**
 * Returns the text without the entry, or "" if `svc mcp install` wrote the whole file. If `svc mcp install` also added
 * the object for the servers, that object is removed too. To find this out, the object is removed, the entry is added
 * again, and the result is compared with the original text.
 */
function withoutJson(host: Host, text: string, entry: unknown): string | undefined {
  const path = [host.servers, SERVER_NAME];
  const value = entry as JsonObject;
  if (text === `${snippetOf(host, value)}\n`) return "";
  const withoutServers = withoutJsonMember(text, [host.servers]);
  if (withoutServers !== undefined && withJsonValue(withoutServers, path, value) === text)
    return withoutServers;
  return withoutJsonMember(text, path);
}

/**
 * Whether the text has everything that the document has, except the entry. An empty text is correct if the rest of the
 * document is only what svc writes into a new file.
 */
async function isWithout(
  { host, path }: HostFile,
  document: TomlTable,
  text: string,
): Promise<boolean> {
  const found = text === "" ? host.preamble : await parsedOr(host, path, text);
  const servers = document[host.servers];
  if (!isTable(servers)) return false;
  const { [SERVER_NAME]: _removed, ...others } = servers;
  const wanted = { ...document, [host.servers]: others };
  return isDeepStrictEqual(plainTable(found ?? {}), plainTable(wanted));
}

async function parsedOr(host: Host, path: string, text: string): Promise<TomlTable | undefined> {
  return await documentIn(host, path, text).catch(() => undefined);
}
