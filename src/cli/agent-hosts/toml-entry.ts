/**
 * Puts a table, given as text with its header, into a TOML file. Replaces the table of that name and its subtables, or
 * appends the table. Keeps every comment, so it returns `undefined` if a line to be replaced has one. The caller parses
 * the result, because a file may have forms that this function does not recognize.
 */
export function withTomlTable(text: string, name: string, table: string): string | undefined {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
  const fresh = table.split("\n");
  const isThere = lines.some((line) => tableOf(line) === name);
  const kept = isThere
    ? replaced(lines, name, fresh)
    : [...lines, ...(text === "" ? [] : [""]), ...fresh];
  return kept && kept.join(eol) + eol;
}

function replaced(
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

/** The name in the header of a table or of a list of tables. */
function tableOf(line: string): string | undefined {
  return /^\s*\[\[?\s*([^[\]]+?)\s*\]\]?\s*(?:#.*)?$/.exec(line)?.[1];
}
