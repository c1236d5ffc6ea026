import { readFileSync } from "node:fs";
import { utf8Text } from "../../base/utf8.ts";
import { statOf } from "../../config/git-dir.ts";
import { fileError, isTable, parseToml, type TomlTable } from "../../config/toml.ts";
import type { Host } from "./hosts.ts";
import { parsedJson, valueOf } from "./json-text.ts";

/** The text of a host's configuration file. The byte order mark is kept separately, so that an edit keeps it. */
export interface HostText {
  readonly mark: string;
  readonly text: string;
}

const BYTE_ORDER_MARK = "\uFEFF";

/** Reads a host's file; `undefined` if it does not exist. Throws if the file is not UTF-8. */
export function readHostText(path: string): HostText | undefined {
  if (statOf(path) === undefined) return undefined;
  const bytes = readFileSync(path);
  const text = utf8Text(bytes);
  if (text === undefined) throw fileError(path, "is not UTF-8 text", undefined, "save it as UTF-8");
  const mark = Buffer.byteLength(text) === bytes.length ? "" : BYTE_ORDER_MARK;
  return { mark, text };
}

/** Parses the text of a host's file. Throws if the syntax is wrong or the value is not an object. */
export async function documentIn({ format }: Host, path: string, text: string): Promise<TomlTable> {
  if (format === "toml") return await parseToml(text, path);
  const found = parsedJson(text);
  if ("line" in found)
    throw fileError(path, `is not valid JSON (line ${found.line})`, undefined, "mend it first");
  const document = valueOf(found);
  if (!isTable(document)) throw fileError(path, "is no JSON object", undefined, "mend it first");
  return document;
}
