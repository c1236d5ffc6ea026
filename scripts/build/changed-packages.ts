/** What is changed of a file's text, and what stands there instead. */
export type Change = readonly [text: string | RegExp, instead: string];

/** A file of a package whose text the build changes, until a public way meets the budget. */
export interface ChangedFile {
  readonly package: string;
  readonly file: RegExp;
  readonly changes: readonly Change[];
  /** In the figures of bench/README.md. */
  readonly gain: string;
  /** The upstream issue that would end it, or what upstream would have to do. */
  readonly until: string;
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

/**
 * Ink takes every line of every picture apart into cells, lays them over each other and puts them together again: most
 * of what a picture costs, and nearly all the garbage that it leaves. The screen is whole lines one below the other, each
 * of which begins and ends in the terminal's own colours, so the lines are the picture. Anything else goes Ink's own way.
 */
const WHOLE_LINES_OF_INK: readonly Change[] = [
  [/ {4}get\(\) \{\n(?= {8}\/\/ Initialize output array )/, `$&${LINES_IF_WHOLE}`],
  [/$/, WHOLE_LINES],
];

/**
 * All of them; `npm run bench -- without whole-lines` measures it again. The build refuses any other change of a
 * package's text, and fails where a text that is changed here is no longer there.
 */
export const CHANGED_FILES: readonly ChangedFile[] = [
  {
    package: "ink",
    file: /[\\/]ink[\\/]build[\\/]output\.js$/,
    changes: WHOLE_LINES_OF_INK,
    gain: "50 changes a second 26 % of a core, a key meanwhile 18 ms, 255 MiB without (goals 12 %, 14 ms, 170 MiB); on a busy machine 35 a second 17.8 %, 178 ms, 236 MiB, with it 50 a second 10.7 %, 24 ms, 133 MiB",
    until:
      "no open upstream issue found; https://github.com/vadimdemedes/ink/pull/835 cached within a picture",
  },
];
