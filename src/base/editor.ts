import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode } from "./error-code.ts";
import { type ProgramEnd, runOnTerminal } from "./terminal-program.ts";

/** A text for an editor, in a file and a folder that only this user can read. */
export interface EditorFile {
  readonly path: string;
  /** What was saved; `undefined` if the file is gone. */
  read(): Buffer | undefined;
  remove(): void;
}

export function editorFile(text: string): EditorFile {
  const folder = mkdtempSync(join(tmpdir(), "svc-edit-"));
  const path = join(folder, "text.md");
  writeFileSync(path, text, { mode: 0o600 });
  return {
    path,
    read: () => {
      try {
        return readFileSync(path);
      } catch (error) {
        if (errorCode(error) === "ENOENT") return undefined;
        throw error;
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export interface EditorEnd extends ProgramEnd {
  readonly program: string;
}

/** Runs an editor, a program with its arguments, on the file and waits for its end. */
export function runEditor(editor: string, path: string): EditorEnd {
  const [program = "vi", ...words] = editor.split(/\s+/).filter(Boolean);
  return { program, ...runOnTerminal(program, [...words, path]) };
}
