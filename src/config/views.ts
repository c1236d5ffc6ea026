import { editEntry } from "./edit.ts";
import { configPath } from "./paths.ts";
import { isTable, leavesOf, parseToml, readIfThere } from "./toml.ts";

/** A filter of the terminal screen under a name. */
export interface SavedView {
  readonly name: string;
  readonly query: string;
}

const TABLE = "tui.views";

/** Those of config.toml, in its order; an entry that is no text is no view. */
export async function readViews(home: string): Promise<readonly SavedView[]> {
  const path = configPath(home);
  const text = readIfThere(path);
  if (text === undefined) return [];
  const { tui } = await parseToml(text, path);
  const views = isTable(tui) ? tui["views"] : undefined;
  if (!isTable(views)) return [];
  return [...leavesOf(views)].flatMap(([name, query]) =>
    typeof query === "string" ? [{ name, query }] : [],
  );
}

/** Keeps a view in config.toml, or without a query forgets it. */
export async function saveView(
  home: string,
  name: string,
  query: string | undefined,
): Promise<readonly SavedView[]> {
  await editEntry(configPath(home), { table: TABLE, key: name, value: query });
  return await readViews(home);
}
