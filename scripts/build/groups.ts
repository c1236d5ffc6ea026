import { join, relative, sep } from "node:path";

/**
 * The name of the file in dist/ that contains a module. A module is in one file only, so that each class exists once in
 * a process and `instanceof` works. A file loads another one only when it needs it.
 */
export type Group = string;

/**
 * For each room of src/, the groups of its modules. `room` is the group of most modules. Each other key is a group with
 * its own files and folders of the room; the name of a folder ends in `/`. If a module is named several times, the
 * longest name decides. The modules of a room that is not in this table are in the group `engine`.
 *
 * `core` is read at every start, so it has little more than the everyday commands need to ask a running daemon and to
 * print JSON, lists and the results of changes. `test/e2e/loaded.test.ts` names these commands. Modules that only other
 * commands need are in `rest`.
 */
const ROOMS: Readonly<Record<string, Room>> = {
  base: {
    room: "core",
    rest: [
      "age.ts",
      "editor.ts",
      "failed-bearers.ts",
      "gunzip.ts",
      "http-date.ts",
      "ids.ts",
      "json-depth.ts",
      "json-members.ts",
      "log.ts",
      "process-start.ts",
      "secret.ts",
      "shell-word.ts",
      "terminal-program.ts",
      "yield-to-loop.ts",
    ],
    views: ["markdown.ts"],
  },
  contract: {
    room: "rest",
    core: [
      "actions.ts",
      "actor-name.ts",
      "budget.ts",
      "comments.ts",
      "common-errors.ts",
      "error-codes.ts",
      "errors.ts",
      "evidence.ts",
      "health.ts",
      "issues.ts",
      "label.ts",
      "labels.ts",
      "leases.ts",
      "limits.ts",
      "link-changes.ts",
      "list-budget.ts",
      "log-mark.ts",
      "objects.ts",
      "projects.ts",
      "reserved-actors.ts",
      "route.ts",
      "search.ts",
      "shape.ts",
      "shown-issue.ts",
      "take-order.ts",
      "values.ts",
      "version.ts",
    ],
    follow: ["activity.ts", "address.ts", "capabilities.ts", "inbox.ts"],
    openapi: ["openapi/"],
  },
  config: {
    room: "core",
    rest: ["connector-list.ts", "connectors.ts", "edit.ts", "federation-mappings.ts"],
    // Only the daemon has tokens for hubs, and the key of a provider.
    engine: ["credential-entry.ts", "credentials.ts", "embeddings.ts"],
    git: ["git-tracked.ts"],
    start: ["start.ts", "start-rows.ts"],
    views: ["browser.ts"],
  },
  shared: {
    room: "core",
    domain: ["interleaved.ts", "moment.ts"],
    follow: [
      "conditions.ts",
      "follow.ts",
      "follow-state.ts",
      "silence-watch.ts",
      "sse.ts",
      "wait.ts",
    ],
    rest: [
      "first-issues.ts",
      "issue-sync.ts",
      "me.ts",
      "person-meant.ts",
      "project-choice.ts",
      "toggle-job.ts",
    ],
    views: ["event-text.ts", "inbox-context.ts", "overwritten-text.ts", "requests.ts"],
  },
  client: {
    room: "core",
    follow: ["announced.ts", "events.ts", "wait.ts", "wait-issues.ts"],
    git: ["git-config.ts", "identity.ts"],
    rest: ["hub-target.ts", "issue-pages.ts"],
    start: [
      "autostart.ts",
      "control.ts",
      "daemons.ts",
      "force.ts",
      "health.ts",
      "listens-on-tcp.ts",
      "log-file.ts",
      "owner-code.ts",
      "probe.ts",
      "reload.ts",
      "spawn.ts",
      "start-lock.ts",
      "status.ts",
      "transport-to.ts",
    ],
  },
  cli: {
    room: "core",
    completion: ["completion/"],
    // The bases of the everyday commands, and the views of lists and of the results of changes.
    core: [
      "bases/base-command.ts",
      "bases/issues-command.ts",
      "bases/limited-command.ts",
      "bases/list-command.ts",
      "bases/offline-command.ts",
      "bases/ready-command.ts",
      "bases/svc-command.ts",
      "input/body.ts",
      "input/file.ts",
      "render/changes.ts",
      "render/list.ts",
      "render/palette.ts",
      "render/rows.ts",
      "render/views.ts",
      "render/width.ts",
      "session/offline-session.ts",
      "session/session.ts",
    ],
    hints: ["hints/"],
    hosts: ["agent-hosts/", "bases/agent-host-command.ts"],
    rest: [
      "agent-files/",
      "bases/",
      "doctor-connectors.ts",
      "doctor-embeddings.ts",
      "doctor-issue-sync.ts",
      "doctor.ts",
      "failure/output-failure.ts",
      "flags/recurrences.ts",
      "flags/storage.ts",
      "flags/storage-targets.ts",
      "flags/take-request.ts",
      "flags/tool-listener.ts",
      "flags/tool-sections.ts",
      "flags/wait.ts",
      "input/",
      "output/bounded-json.ts",
      "output/quiet.ts",
      "session/",
      "start/steady-heap.ts",
    ],
    start: ["exposure/"],
    views: [
      "agent-files/guide.ts",
      "demo/",
      "pages/",
      "render/",
      "start/help.ts",
      "start/unknown-command.ts",
    ],
  },
  domain: {
    room: "domain",
    // Checks of a close and of a ref before they are sent.
    core: ["close.ts", "refs.ts", "text.ts"],
    // Most projects have no series, so this file and the library `rrule-temporal` are loaded separately.
    recurrences: ["recurrences/occurrences.ts"],
  },
  mcp: { room: "mcp" },
  // Only daemons that have connectors need it, and `svc connector test`.
  connectors: { room: "connectors" },
  ops: { room: "engine", connectors: ["bridges/far-side.ts"] },
  // Only daemons that have a provider of vectors need it.
  meaning: { room: "meaning" },
  // Threads that need SQLite alone.
  store: { room: "engine", upkeep: ["sqlite/checkpoint.ts", "sqlite/vacuum.ts"] },
  // The readers of other trackers' files need no database.
  sources: { room: "sources" },
};

interface Room {
  readonly room: Group;
  readonly [group: string]: Group | readonly string[];
}

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
  /^lib\/(args|cache|command|flags|logger|parser\/(index|parse|validate)|util\/(aggregate-flags|util))\.js$/;

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
  const fitting = Object.entries(elsewhere).flatMap(([group, names]) =>
    [names]
      .flat()
      .filter((one) => (one.endsWith("/") ? path.startsWith(one) : path === one))
      .map((one) => ({ group, length: one.length })),
  );
  const [longest] = fitting.toSorted((a, b) => b.length - a.length);
  return longest?.group ?? room;
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
