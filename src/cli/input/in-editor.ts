import { type Editor, editorFile, runEditor } from "../../base/editor.ts";
import { utf8Text } from "../../base/utf8.ts";
import { invalid } from "../../contract/errors.ts";
import { DEFAULT_BODY_BYTES } from "../../contract/limits.ts";
import { CommandError, failureOf } from "../failure/failure.ts";

const MARK = "<!-- svc:";

/**
 * Lets a person write a text in an editor, and sends it. Nothing is sent unless the editor exited without an error and
 * the text was changed. If the daemon refuses the text, the file with the text stays, and the error names it.
 */
export async function inEditor<T>(
  editor: Editor,
  { text, help }: { readonly text: string; readonly help: string },
  send: (text: string) => Promise<T>,
): Promise<T> {
  const start = `${text}\n\n${MARK} ${help} What follows this line is left out. -->\n`;
  const file = editorFile(start);
  let isKept = false;
  const withKeptFile = (error: unknown): CommandError => {
    isKept = true;
    return withPlace(error, file.path);
  };
  try {
    const { program, why } = withoutInterrupts(() => runEditor(editor, file.path));
    const bytes = file.read(DEFAULT_BODY_BYTES);
    if (bytes === undefined) throw editorError(program, "it left no file");
    if ("why" in bytes) throw withKeptFile(editorError(program, bytes.why));
    const saved = utf8Text(bytes);
    if (why !== undefined) {
      const error = editorError(program, why);
      throw saved === start ? error : withKeptFile(error);
    }
    if (saved === undefined)
      throw withKeptFile(
        invalid(
          "the text is not UTF-8: nothing was written",
          "set the editor to save UTF-8, or convert the file with iconv and give it with --body-file",
        ),
      );
    const written = untilMark(saved);
    if (written === "") throw invalid("the text is empty: nothing was written");
    if (written === untilMark(start)) throw invalid("the text is as it was: nothing was written");
    return await send(written).catch((error: unknown) => {
      throw withKeptFile(error);
    });
  } finally {
    if (!isKept) file.remove();
  }
}

/**
 * Ignores interrupts while the editor runs: they are meant for the editor, and svc must still remove the file
 * afterwards.
 */
function withoutInterrupts<T>(run: () => T): T {
  const ignore = (): void => {};
  process.on("SIGINT", ignore);
  try {
    return run();
  } finally {
    process.off("SIGINT", ignore);
  }
}

function editorError(program: string, why: string): CommandError {
  return new CommandError(
    "internal",
    `the editor ${program} failed (${why}): nothing was written`,
    {
      hint: "VISUAL or EDITOR names the editor; --body-file - takes the text without one",
    },
  );
}

function untilMark(saved: string): string {
  const lines = saved.split(/\r?\n/);
  const mark = lines.findLastIndex((line) => line.startsWith(MARK));
  return (mark === -1 ? lines : lines.slice(0, mark)).join("\n").trimEnd();
}

function withPlace(error: unknown, path: string): CommandError {
  const failure = failureOf(error);
  const place = `your text is kept in ${path}`;
  const hint = failure.hint === undefined ? place : `${failure.hint}; ${place}`;
  return new CommandError(failure.kind, failure.message, { ...failure, hint });
}
