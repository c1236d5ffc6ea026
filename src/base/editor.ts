import {
  closeSync,
  constants,
  fstatSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode } from "./error-code.ts";
import { readUpTo } from "./read-up-to.ts";
import { type ProgramEnd, type ProgramEnv, runOnTerminal } from "./terminal-program.ts";

export interface Unreadable {
  readonly why: string;
}

/** A temporary file with a text to edit. Only this user can read the file and its folder. */
export interface EditorFile {
  readonly path: string;
  /**
   * Returns the saved bytes, the reason why they cannot be read (such as more than `most` bytes), or `undefined` if the
   * file is gone.
   */
  read(most: number): Buffer | Unreadable | undefined;
  remove(): void;
}

export function editorFile(text: string): EditorFile {
  const folder = mkdtempSync(join(tmpdir(), "svc-edit-"));
  const path = join(folder, "text.md");
  writeFileSync(path, text, { mode: 0o600 });
  return {
    path,
    read: (most) => {
      try {
        return readSaved(path, most);
      } catch (error) {
        const code = errorCode(error);
        return code === "ENOENT" ? undefined : { why: `what it left cannot be read (${code})` };
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Reads only a regular file, without blocking and with a limit. An editor can be any program: it may leave a pipe or a
 * device at this path, or an endless file.
 */
function readSaved(path: string, most: number): Buffer | Unreadable {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(descriptor).isFile()) return { why: "what it left is no file" };
    const bytes = readUpTo(descriptor, most);
    return bytes.length > most ? { why: `the text has more than ${most} bytes` } : bytes;
  } finally {
    closeSync(descriptor);
  }
}

export interface EditorEnd extends ProgramEnd {
  readonly program: string;
}

export interface Editor {
  /** A program with its arguments, separated by spaces. */
  readonly command: string;
  readonly env: ProgramEnv;
}

/** Opens the file in an editor and waits until the editor exits. */
export function runEditor({ command, env }: Editor, path: string): EditorEnd {
  const [program = "vi", ...words] = command.split(/\s+/).filter(Boolean);
  return { program, ...runOnTerminal(program, [...words, path], env) };
}
