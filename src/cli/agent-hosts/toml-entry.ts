/**
 * Puts a table into the text of a TOML file and returns the new text. `table` is the text of the table, with its
 * header. It replaces the table of the same name and its subtables, or is appended. No comment is lost: if a line to be
 * replaced contains a comment, the result is `undefined`. The caller must parse the result, because a file may have
 * forms that this function does not recognize.
 */
export function withTomlTable(text: string, name: string, table: string): string | undefined {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
  const fresh = table.split("\n");
  const isThere = lines.some((line) => tableOf(line) === name);
  const kept = isThere
    ? replaceTable(lines, name, fresh)
    : [...lines, ...(text === "" ? [] : [""]), ...fresh];
  return kept && kept.join(eol) + eol;
}

/**
 * Returns the text of a TOML file without a table and its subtables. Comments on lines of their own stay. If a line to
 * be removed also contains a comment, the result is `undefined`. The function is the exact reverse of `withTomlTable`.
 */
export function withoutTomlTable(text: string, name: string): string | undefined {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  const kept = replaceTable(lines, name, []);
  // A table that was appended has an empty line before it.
  const rest = kept?.at(-1) === "" && lines.at(-1) !== "" ? kept.slice(0, -1) : kept;
  if (rest === undefined) return undefined;
  return rest.length === 0 ? "" : rest.join(eol) + eol;
}

function replaceTable(
  lines: readonly string[],
  name: string,
  fresh: readonly string[],
): readonly string[] | undefined {
  const kept: string[] = [];
  let isInside = false;
  for (const line of lines) {
    const table = tableOf(line);
    if (table !== undefined) isInside = table === name || table.startsWith(`${name}.`);
    if (!isInside || /^\s*(?:#|$)/.test(line)) kept.push(line);
    else if (line.includes("#")) return undefined;
    if (table === name) kept.push(...fresh);
  }
  return kept;
}

function tableOf(line: string): string | undefined {
  return /^\s*\[\[?\s*([^[\]]+?)\s*\]\]?\s*(?:#.*)?$/.exec(line)?.[1];
}
