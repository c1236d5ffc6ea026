// The rooms of the house and what each may import, as data. docs/architecture.md says it in words.
"use strict";

/**
 * room -> the rooms it may import. `base` and `contract` are open to everyone but `base`.
 * An entry with a slash is one file or folder of a room that is otherwise closed.
 */
const rooms = {
  base: [],
  contract: ["base"],
  domain: [],
  config: [],
  shared: ["domain"],
  client: ["config", "shared"],
  cli: ["config", "client", "domain", "shared"],
  store: ["domain"],
  ops: ["domain", "store/types"],
  engines: ["domain", "ops", "store/types"],
  outgoing: ["config"],
  sync: ["domain", "ops", "store/types", "config", "outgoing", "sources"],
  federation: ["domain", "ops", "store/types", "config", "outgoing"],
  meaning: [
    "domain",
    "store/types",
    "config/embeddings.ts",
    "ops/search/semantic.ts",
    "engines/engines.ts",
    "engines/wake.ts",
    "outgoing",
  ],
  connectors: ["domain", "ops", "store/types", "config/connectors.ts", "config/env.ts"],
  archive: ["domain", "store", "engines/checks", "sources/files"],
  sources: ["domain", "shared/nearest.ts"],
  daemon: [
    "domain",
    "shared",
    "config",
    "client",
    "store",
    "ops",
    "engines",
    "outgoing",
    "sync",
    "federation",
    "meaning",
    "connectors",
    "archive",
  ],
  mcp: ["domain", "config", "client", "shared", "archive"],
  library: ["client", "config", "daemon", "shared"],
  start: ["cli", "config", "daemon/index.ts"],
  commands: [
    "cli",
    "client",
    "config",
    "domain",
    "shared",
    "daemon/index.ts",
    "mcp/index.ts",
    "archive/index.ts",
    "connectors/index.ts",
    "engines/checks/all.ts",
    "sources/index.ts",
    "tui/index.ts",
  ],
  screen: ["domain", "shared"],
  tui: ["screen", "client", "domain", "shared"],
  web: ["screen", "shared"],
};

/** What commands load only when they run, so that the others need not pay for it. */
const lazyDoors = [
  "daemon/index.ts",
  "mcp/index.ts",
  "archive/index.ts",
  "connectors/index.ts",
  "engines/checks/all.ts",
  "sources/index.ts",
  "tui/index.ts",
];

/** package -> the rooms it lives in. A package that is not named here may be used nowhere. */
const homes = {
  ulid: ["base"],
  zod: Object.keys(rooms),
  "date-fns": ["domain"],
  "date-fns-tz": ["domain"],
  "cron-parser": ["domain"],
  "rrule-temporal": ["domain"],
  "smol-toml": ["config"],
  "jsonc-parser": ["cli"],
  "@oclif/core": ["cli", "commands"],
  "string-width": ["cli", "tui"],
  ink: ["tui"],
  react: ["tui", "web"],
  "react-dom": ["web"],
  "markdown-it": ["web"],
  "@dagrejs/dagre": ["web"],
  "@oclif/plugin-autocomplete": ["commands"],
  kysely: ["store"],
  "better-sqlite3": ["store"],
  pg: ["store"],
  h3: ["daemon", "library"],
  listhen: ["daemon"],
  "@modelcontextprotocol/server": ["mcp"],
  yaml: ["contract", "sources"],
};

/** Where Node's own modules may not be used: these run in a browser and in tests without a machine. */
const pure = ["domain", "contract", "shared", "screen", "web"];

/**
 * Files of the contract that hold values and no schema. What is to run in a browser page takes values of the contract
 * from these only, since zod would cost the page 90 KiB; types it may take from anywhere.
 */
const plainContract = [
  "address",
  "error-codes",
  "errors",
  "event-kinds",
  "evidence",
  "label",
  "limits",
  "log-mark",
  "reserved-actors",
  "take-order",
  "version",
].map((name) => `contract/${name}.ts`);

/** Rooms whose work may have a far side. They ask it through `outgoing`, which has the limits and the redactor. */
const withFarSide = [
  "engines",
  "ops",
  "sync",
  "federation",
  "meaning",
  "connectors",
  "sources",
  "archive",
];

/** The rooms of a browser page, and what these import. */
const withoutZod = ["base", "domain", "shared", "screen", "web"];

/**
 * The layers of src/screen below and above its screens, the lowest first. A file at the top that is not named belongs to
 * the lowest, and a folder that is not named is a screen.
 */
const belowScreens = [
  ["messages/", "session/", "connection/", "window/", "preferences/"],
  ["issues/", "scope/"],
  ["writes/"],
  ["forms/"],
  ["detail/"],
  [
    ...[
      "commands/",
      "dialogs/",
      "palette/",
      "loading/",
      "answers/",
      "daemons/",
      "place/",
      "input/",
    ],
    ...["commands.ts", "events.ts", "initial-state.ts"],
  ],
];
const aboveScreens = [["screens.ts"], ["update.ts"], ["effects/"]];

/** Folders at the root; every other room is below src/. */
const atRoot = new Set(["commands", "tui", "web"]);

const at = (room) => (atRoot.has(room) ? room : `src/${room}`);
const escape = (text) => text.replaceAll(".", "\\.");
const folder = (room) => `^${at(room)}/`;
const file = (path) => {
  const [room, ...rest] = path.split("/");
  return `^${at(room)}/${escape(rest.join("/"))}$`;
};
const pattern = (entry) => (/\.tsx?$/.test(entry) ? file(entry) : folder(entry));
const anyRoom = "^(src|commands|tui|web)/";

const roomRules = Object.entries(rooms).map(([room, allowed]) => {
  const open = room === "base" ? [] : ["base", "contract"];
  return {
    name: `room-${room}`,
    comment: `${room} may import ${["itself", ...open, ...allowed].join(", ")}`,
    severity: "error",
    from: { path: folder(room) },
    to: { path: anyRoom, pathNot: [room, ...open, ...allowed].map(pattern) },
  };
});

const inScreen = (names) => `^src/screen/(?:${names.map(escape).join("|")})`;
const layered = [...belowScreens, ...aboveScreens].flat();
const isNamed = `(?:${layered.map(escape).join("|")})`;
const aScreen = `(?!${isNamed})[^/]+/`;
const screenLayers = [
  ["base", `^src/screen/(?!${isNamed})[^/]+\\.ts$|${inScreen(belowScreens[0])}`],
  ...belowScreens.slice(1).map((names) => [names[0].replace(/\W/g, ""), inScreen(names)]),
  ["screens", `^src/screen/${aScreen}`],
  ...aboveScreens.map((names) => [names[0].replace(/\W.*/, ""), inScreen(names)]),
];

/** No layer of src/screen needs a higher one to run; types it may take from anywhere. */
const screenRules = screenLayers.slice(0, -1).map(([name, from], at) => ({
  name: `screen-layer-${at}-${name}`,
  comment: "src/screen has layers: a lower one asks the table of screens instead of importing",
  severity: "error",
  from: { path: from },
  to: {
    path: screenLayers.slice(at + 1).map(([, path]) => path),
    dependencyTypesNot: ["type-only"],
  },
}));

const packageRules = Object.entries(homes).map(([name, home]) => ({
  name: `home-of-${name.replaceAll(/[@/]/g, "-")}`,
  comment: `${name} is used in ${home.join(", ")} and nowhere else`,
  severity: "error",
  from: { path: anyRoom, pathNot: home.map(folder) },
  to: { path: `(^|/)node_modules/${escape(name)}/` },
}));

module.exports = {
  forbidden: [
    ...roomRules,
    ...packageRules,
    ...screenRules,
    {
      name: "screens-apart",
      comment: "no screen needs another to run: what two of them need belongs to a layer below",
      severity: "error",
      from: { path: `^src/screen/(${aScreen})` },
      to: {
        path: `^src/screen/${aScreen}`,
        pathNot: "^src/screen/$1",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "package-without-home",
      comment: "a package used in a room is named in the table `homes` above",
      severity: "error",
      from: { path: anyRoom },
      to: {
        path: "(^|/)node_modules/",
        pathNot: [
          ...Object.keys(homes).map((name) => `(^|/)node_modules/${escape(name)}/`),
          "(^|/)node_modules/@types/",
        ],
      },
    },
    {
      name: "lazy-door",
      comment: "commands open these with import() inside run(), so that no other command pays",
      severity: "error",
      from: { path: folder("commands") },
      to: { path: lazyDoors.map(file), dependencyTypesNot: ["dynamic-import", "type-only"] },
    },
    {
      name: "pure-room",
      comment: `${pure.join(" and ")} use no module of Node`,
      severity: "error",
      from: { path: pure.map(folder) },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "far-side",
      comment: `${withFarSide.join(", ")} ask other machines through outgoing only`,
      severity: "error",
      from: { path: withFarSide.map(folder) },
      to: { path: "^(?:node:)?(?:dgram|http|http2|https|net|tls)$" },
    },
    {
      name: "no-zod",
      comment: `${withoutZod.join(", ")} and the plain files of the contract need no zod to run`,
      severity: "error",
      from: { path: [...withoutZod.map(folder), ...plainContract.map(file)] },
      to: {
        path: [folder("contract"), "(^|/)node_modules/zod/"],
        pathNot: plainContract.map(file),
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "pure-screen",
      comment: "what draws the screen knows neither the daemon nor Ink: it waits for nothing",
      severity: "error",
      from: { path: "^tui/screens/" },
      to: {
        path: [
          "^src/client/",
          "^tui/(app|index|store|terminal|terminal-effects)\\.ts$",
          "(^|/)node_modules/(ink|react)/",
        ],
      },
    },
    {
      name: "parts-without-state",
      comment: "what the page and the element <svc-issue> share takes values and callbacks",
      severity: "error",
      from: { path: "^web/(?:embed|parts/issue)/" },
      to: {
        path: [
          "^src/screen/(?:state|message|commands|keys|screens|update)\\.ts$",
          "^web/(?:painter|place)\\.ts$",
          "^web/(?:painters|parts/detail)/",
        ],
      },
    },
    {
      name: "no-cycle",
      comment: "two modules that need each other are one module or three",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "resolvable",
      comment: "an import that does not resolve escapes every other rule",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "tests-stay-outside",
      comment: "nothing that ships imports tests, benchmarks or build scripts",
      severity: "error",
      from: { path: anyRoom },
      to: { path: "^(test|bench|scripts)/" },
    },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    doNotFollow: { path: "node_modules" },
    // The libraries' scripts run beside packages that are installed outside of the repository.
    exclude: { path: "^(?:dist|bench/support/hosts/libraries)/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
      extensions: [".ts", ".tsx", ".js", ".cjs", ".mjs", ".json"],
    },
  },
};
