import { join, relative, sep } from "node:path";

/**
 * The name of the file in dist/ that contains a module. A module is in one file only, so that each class exists once in
 * a process and `instanceof` works. A file loads another one only when it needs it.
 */
export type Group = string;

/**
 * The groups of the modules in src/. Each entry has the beginning of a path below src/, and the first entry that fits a
 * module's path decides. `core` is read at every start, so it contains little more than what a command needs to ask a
 * running daemon and to print JSON or the result of a change.
 */
const ROOMS: readonly (readonly [path: string, group: Group])[] = [
  ["contract/openapi/", "openapi"],
  // The code that prints the results of changes, and that checks a close and a ref before they are sent.
  ["cli/render/changes.ts", "core"],
  ["cli/render/views.ts", "core"],
  ["cli/render/palette.ts", "core"],
  ["shared/agent.ts", "core"],
  ["shared/text.ts", "core"],
  ["domain/close.ts", "core"],
  ["domain/refs.ts", "core"],
  ["domain/text.ts", "core"],
  ["cli/render/", "views"],
  ["cli/demo/", "views"],
  ["cli/agent-files/guide.ts", "views"],
  ["cli/hints/", "hints"],
  ["cli/completion/", "completion"],
  ["cli/bases/agent-host-command.ts", "hosts"],
  ["cli/agent-hosts/", "hosts"],
  ["cli/start/help.ts", "views"],
  ["cli/start/unknown-command.ts", "views"],
  ["cli/pages/open-browser.ts", "views"],
  ["cli/pages/page-address.ts", "views"],
  ["config/browser.ts", "views"],
  ["client/autostart.ts", "start"],
  ["client/control.ts", "start"],
  ["client/probe.ts", "start"],
  ["client/reload.ts", "start"],
  ["client/spawn.ts", "start"],
  ["client/status.ts", "start"],
  ["client/start-lock.ts", "start"],
  ["cli/exposure/listener.ts", "start"],
  ["cli/exposure/pages.ts", "start"],
  ["cli/exposure/exposure.ts", "start"],
  ["client/events.ts", "follow"],
  ["shared/conditions.ts", "follow"],
  ["shared/follow-state.ts", "follow"],
  ["shared/sse.ts", "follow"],
  ["shared/wait.ts", "follow"],
  ["client/git", "git"],
  ["client/identity.ts", "git"],
  ["base/", "core"],
  ["contract/", "core"],
  ["config/", "core"],
  ["shared/event-text.ts", "views"],
  ["shared/inbox-context.ts", "views"],
  ["shared/requests.ts", "views"],
  ["shared/", "core"],
  ["client/", "core"],
  ["cli/", "core"],
  // The code of series and its library `rrule-temporal` are a group of their own, because most projects have no series.
  ["domain/recurrences/occurrences.ts", "recurrences"],
  ["domain/", "domain"],
  ["mcp/", "mcp"],
  // The code that reads files of other trackers and sends their issues to the daemon. It needs no database.
  ["sources/", "beads"],
  // Everything else: the daemon, the store and the code that works on it.
  ["", "engine"],
];

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
    const inside = parts.slice(1).join("/");
    if (parts[0] === "src") return ROOMS.find(([begin]) => inside.startsWith(begin))?.[1];
    return parts[0] === "tui" ? "tui" : undefined;
  }
  const scoped = parts[inModules + 1]?.startsWith("@") === true;
  const name = parts.slice(inModules + 1, inModules + (scoped ? 3 : 2)).join("/");
  const file = parts.slice(inModules + (scoped ? 3 : 2)).join("/");
  if (name !== "@oclif/core") return PACKAGES[`${name}/${file}`] ?? PACKAGES[name];
  return file === "package.json" || OCLIF_CORE.test(file) ? "core" : "oclif";
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
