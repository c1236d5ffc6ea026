export type Change = readonly [text: string | RegExp, instead: string];

/**
 * A package's file whose text the build changes. Such a change is only made while the package has no public interface
 * that is fast enough.
 */
export interface ChangedFile {
  readonly package: string;
  readonly file: RegExp;
  readonly changes: readonly Change[];
  /** How much the change gains, in the units of bench/README.md. */
  readonly gain: string;
  /** What must happen in the package before the change can be removed, as the address of an issue there or in words. */
  readonly until: string;
}

const LINES_IF_WHOLE = `        const lines = wholeLines(this);
        if (lines !== undefined) return { output: lines.join("\\n"), height: lines.length };
`;

/**
 * The source of a function that is added to Ink. It returns the lines of a picture if each is a whole line of the
 * screen and no transformer (a function of an Ink component that changes text) changes it.
 */
const WHOLE_LINES = `
function wholeLines({ operations, height }) {
    const isWhole = operations.length === height && operations.every(({ type, x, y, text, transformers }, at) =>
        type === "write" && x === 0 && y === at && !text.includes("\\n") &&
        transformers.every((transform) => transform(text, 0) === text));
    return isWhole ? operations.map(({ text }) => text.trimEnd()) : undefined;
}
`;

/**
 * Makes Ink write a picture that consists of whole lines without changing it. Ink's own code draws any other picture.
 *
 * Ink splits every line of every picture into cells, lays these over each other and joins them again. This takes most
 * of the time of a picture, and makes nearly all of its garbage. svc's screen usually consists of whole lines, one
 * below the other, which begin and end in the terminal's own colours. Such lines need no splitting.
 *
 * Ink has no public way around it: no option of `render` chooses another `Output`. `incrementalRendering` compares the
 * lines when they are made already, `maxFps` draws less often, and `isScreenReaderEnabled` writes the whole picture each
 * time.
 */
const WHOLE_LINES_OF_INK: readonly Change[] = [
  [/ {4}get\(\) \{\n(?= {8}\/\/ Initialize output array )/, `$&${LINES_IF_WHOLE}`],
  [/$/, WHOLE_LINES],
];

/**
 * All changed files. The build refuses any other change of a package's text, and fails if a text to be changed is no
 * longer there. `npm run bench -- without whole-lines` measures the gain of the change again.
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
