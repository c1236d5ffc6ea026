import { join, relative, sep } from "node:path";

/**
 * The name of the file in dist/ that contains a module. A module is in one file only, so that each class exists once in
 * a process and `instanceof` works. A file loads another one only when it needs it.
 */
export type Group = string;

/**
 * For each room of src/, the group of its modules, and which of its folders and files belong to another group. A folder
 * ends in `/`; where several names fit a module, the longest decides. A room that is not named belongs to `engine`.
 *
 * `core` is read at every start, so it contains little more than what a command needs to ask a running daemon and to
 * print JSON or the result of a change.
 */
const ROOMS: Readonly<Record<string, { readonly room: Group; readonly [path: string]: Group }>> = {
  base: { room: "core" },
  contract: { room: "core", "openapi/": "openapi" },
  config: { room: "core", "browser.ts": "views" },
  shared: {
    room: "core",
    "event-text.ts": "views",
    "inbox-context.ts": "views",
    "requests.ts": "views",
    "conditions.ts": "follow",
    "follow-state.ts": "follow",
    "sse.ts": "follow",
    "wait.ts": "follow",
  },
  client: {
    room: "core",
    "autostart.ts": "start",
    "control.ts": "start",
    "probe.ts": "start",
    "reload.ts": "start",
    "spawn.ts": "start",
    "start-lock.ts": "start",
    "status.ts": "start",
    "events.ts": "follow",
    "git-config.ts": "git",
    "identity.ts": "git",
  },
  cli: {
    room: "core",
    "render/": "views",
    // The views of the results of changes.
    "render/changes.ts": "core",
    "render/palette.ts": "core",
    "render/views.ts": "core",
    "demo/": "views",
    "pages/": "views",
    "agent-files/guide.ts": "views",
    "start/help.ts": "views",
    "start/unknown-command.ts": "views",
    "hints/": "hints",
    "completion/": "completion",
    "agent-hosts/": "hosts",
    "bases/agent-host-command.ts": "hosts",
    "exposure/": "start",
  },
  domain: {
    room: "domain",
    // Checks of a close and of a ref before they are sent.
    "close.ts": "core",
    "refs.ts": "core",
    "text.ts": "core",
    // Most projects have no series, so these and the library `rrule-temporal` are loaded apart.
    "recurrences/occurrences.ts": "recurrences",
  },
  mcp: { room: "mcp" },
  // The readers of other trackers' files need no database.
  sources: { room: "sources" },
};

const OTHER_ROOMS: Group = "engine";

/** The groups of packages and of files of packages. Any other package goes into the group of its importer. */
const PACKAGES: Readonly<Record<string, Group>> = {
  zod: "zod",
  yaml: "yaml",
  pg: "pg",
  listhen: "listhen",
  srvx: "srvx",
  "@modelcontextprotocol/server": "mcp",
  "string-width": "width",
  "smol-toml": "toml",
  ulid: "ulid",
  "rrule-temporal": "recurrences",
};

/** Packages that are loaded when they are first used, not when they are imported. */
export const LAZY_PACKAGES = new Set([
  "zod",
  "yaml",
  "pg",
  "listhen",
  "srvx",
  "string-width",
  "ulid",
  "rrule-temporal",
]);

/**
 * The files of oclif that are needed to parse and run a command. They were found by observing which files are loaded.
 */
const OCLIF_CORE =
  /^lib\/(args|cache|command|flags|index|logger|screen|settings|symbols|errors\/(error|exit|index|warn)|errors\/errors\/(cli|exit)|help\/util|parser\/(errors|index|parse|validate)|util\/(aggregate-flags|ids|util)|ux\/write)\.js$/;

/**
 * Returns the group of the module at an absolute path. Returns `undefined` for the file of a command and for a package
 * that is not in `PACKAGES`. Such a module goes into the group of its importer.
 */
export function groupOf(root: string, path: string): Group | undefined {
  const parts = relative(root, path).split(sep);
  const inModules = parts.lastIndexOf("node_modules");
  if (inModules === -1) {
    const [top, room = "", ...inside] = parts;
    if (top === "src") return groupInRoom(room, inside.join("/"));
    return top === "tui" ? "tui" : undefined;
  }
  const scoped = parts[inModules + 1]?.startsWith("@") === true;
  const name = parts.slice(inModules + 1, inModules + (scoped ? 3 : 2)).join("/");
  const file = parts.slice(inModules + (scoped ? 3 : 2)).join("/");
  if (name !== "@oclif/core") return PACKAGES[`${name}/${file}`] ?? PACKAGES[name];
  return file === "package.json" || OCLIF_CORE.test(file) ? "core" : "oclif";
}

function groupInRoom(name: string, path: string): Group {
  const { room, ...elsewhere } = ROOMS[name] ?? { room: OTHER_ROOMS };
  const fitting = Object.entries(elsewhere).filter(([one]) =>
    one.endsWith("/") ? path.startsWith(one) : path === one,
  );
  const [longest] = fitting.toSorted(([a], [b]) => b.length - a.length);
  return longest?.[1] ?? room;
}

export function packageOf(path: string): string | undefined {
  const at = path.lastIndexOf(`${sep}node_modules${sep}`);
  if (at === -1) return undefined;
  const parts = path.slice(at + "/node_modules/".length).split(sep);
  return parts.slice(0, parts[0]?.startsWith("@") === true ? 2 : 1).join("/");
}

/** A module's name in the table of its group: its path from the root, with forward slashes. */
export function keyOf(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
}

export function pathOf(root: string, key: string): string {
  return join(root, ...key.split("/"));
}
