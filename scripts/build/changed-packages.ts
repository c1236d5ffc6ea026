import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** What is changed of a file's text, and what stands there instead. */
export type Change = readonly [text: string | RegExp, instead: string];

/** A file of a package whose text the build changes, until a public way meets the budget. */
export interface ChangedFile {
  readonly package: string;
  readonly file: RegExp;
  /** Given the path of the file, for what lies beside it. */
  readonly changes: (path: string) => readonly Change[];
  /** In the figures of bench/README.md. */
  readonly gain: string;
  /** The upstream issue that would end it, or what upstream would have to do. */
  readonly until: string;
}

/**
 * All of them; `npm run bench -- without <package>` measures each again. The build refuses any other change of a
 * package's text, and fails where a text that is changed here is no longer there.
 */
export const CHANGED_FILES: readonly ChangedFile[] = [
  {
    package: "h3",
    file: /[\\/]h3[\\/]dist[\\/]response\.mjs$/,
    changes: fetchLater,
    gain: "first command on an existing home 5.2 without, 3.7 with (goal 5)",
    until:
      "no upstream issue found: h3 and srvx would have to name Fetch classes only in functions",
  },
  {
    package: "ink",
    file: /[\\/]ink[\\/]build[\\/]output\.js$/,
    changes: wholeLines,
    gain: "50 changes a second 26 % of a core, a key meanwhile 18 ms, 255 MiB without (goals 12 %, 14 ms, 170 MiB)",
    until:
      "no open upstream issue found; https://github.com/vadimdemedes/ink/pull/835 cached within a picture",
  },
];

/**
 * h3 makes two header objects and a class of Headers when it is imported, and srvx, which it brings, three classes of
 * Fetch. To name any of these loads all of Node's Fetch, a tenth of the daemon's start. The daemon uses h3's router and
 * answers by node:http, so they are made at their first use, which never comes. Of srvx only the URL class is used.
 */
function fetchLater(path: string): readonly Change[] {
  const srvx = createRequire(path).resolve("srvx/generic");
  const url = join(dirname(srvx), "..", "_chunks", "_url.mjs");
  return [
    [
      'import { FastResponse, FastURL } from "srvx";',
      `import { FastURL } from ${JSON.stringify(url)};\nimport * as srvx from "srvx";`,
    ],
    ["new FastResponse(", "new srvx.FastResponse("],
    [
      "var FrozenHeaders = class extends Headers {",
      "const frozenHeaders = () => class extends Headers {",
    ],
    [
      "const emptyHeaders = /* @__PURE__ */ new FrozenHeaders(",
      "const makeEmptyHeaders = () => new (frozenHeaders())(",
    ],
    [
      "const jsonHeaders = /* @__PURE__ */ new FrozenHeaders(",
      "const makeJsonHeaders = () => new (frozenHeaders())(",
    ],
    ["headers: emptyHeaders", "headers: makeEmptyHeaders()"],
    ["headers: jsonHeaders", "headers: makeJsonHeaders()"],
    [
      "mergeHeaders(jsonHeaders, error.headers) : new Headers(jsonHeaders)",
      "mergeHeaders(makeJsonHeaders(), error.headers) : new Headers(makeJsonHeaders())",
    ],
  ];
}

/**
 * Ink takes every line of every picture apart into cells, lays them over each other and puts them together again: most
 * of what a picture costs, and nearly all the garbage that it leaves. The screen is whole lines one below the other, each
 * of which begins and ends in the terminal's own colours, so the lines are the picture. Anything else goes Ink's own way.
 */
function wholeLines(): readonly Change[] {
  return [
    [/ {4}get\(\) \{\n(?= {8}\/\/ Initialize output array )/, `$&${LINES_IF_WHOLE}`],
    [/$/, WHOLE_LINES],
  ];
}

const LINES_IF_WHOLE = `        const lines = wholeLines(this);
        if (lines !== undefined) return { output: lines.join("\\n"), height: lines.length };
`;

/** Ink gives each text to the transformers of its component, which may make another of it. */
const WHOLE_LINES = `
function wholeLines({ operations, height }) {
    const isWhole = operations.length === height && operations.every(({ type, x, y, text, transformers }, at) =>
        type === "write" && x === 0 && y === at && !text.includes("\\n") &&
        transformers.every((transform) => transform(text, 0) === text));
    return isWhole ? operations.map(({ text }) => text.trimEnd()) : undefined;
}
`;
