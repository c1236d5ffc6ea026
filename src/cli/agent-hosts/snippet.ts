import type { JsonObject, JsonValue } from "../../base/json.ts";
import { escapeControls } from "../../base/visible.ts";
import { isTable, tomlText } from "../../config/toml.ts";
import type { Host } from "./hosts.ts";

export const SERVER_NAME = "svc";

/** Returns the text of a configuration file that contains only this entry. */
export function snippetOf(host: Host, entry: JsonObject, preamble = host.preamble): string {
  if (host.format === "toml") return tomlTable(`${host.servers}.${SERVER_NAME}`, entry);
  return jsonText({ ...preamble, [host.servers]: { [SERVER_NAME]: entry } });
}

export function jsonText(value: JsonValue, indent = "  "): string {
  return escapeControls(JSON.stringify(value, null, indent));
}

function tomlTable(name: string, entry: JsonObject): string {
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${tomlValue(value)}`);
  return [`[${name}]`, ...lines].join("\n");
}

function tomlValue(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(", ")}]`;
  if (isTable(value)) {
    const members = Object.entries(value).map(([key, inner]) => `${key} = ${tomlValue(inner)}`);
    return `{ ${members.join(", ")} }`;
  }
  return escapeControls(typeof value === "string" ? tomlText(value) : JSON.stringify(value));
}
