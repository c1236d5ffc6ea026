/** The part of a terminal that `readHiddenLine` needs. */
export interface HiddenInput {
  setRawMode(on: boolean): unknown;
  on(event: "data", listener: (bytes: Buffer) => void): unknown;
  off(event: "data", listener: (bytes: Buffer) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

const [CTRL_C, CTRL_D, CTRL_U] = ["\u0003", "\u0004", "\u0015"];
const ERASE = new Set(["\b", "\u007f"]);

/**
 * Reads the next line that is typed at a terminal. The terminal does not show the line, neither on the screen nor in
 * the scrollback. Returns `undefined` if ctrl+c ends the reading. Afterwards the terminal has its former mode.
 */
export async function readHiddenLine(input: HiddenInput): Promise<string | undefined> {
  input.setRawMode(true);
  try {
    return await new Promise((resolve) => {
      let typed = "";
      const onData = (bytes: Buffer): void => {
        for (const key of bytes.toString("utf8")) {
          if (key === "\r" || key === "\n" || key === CTRL_D || key === CTRL_C) {
            input.off("data", onData);
            resolve(key === CTRL_C ? undefined : typed);
            return;
          }
          typed = after(typed, key);
        }
      };
      input.on("data", onData);
      input.resume();
    });
  } finally {
    input.pause();
    input.setRawMode(false);
  }
}

function after(typed: string, key: string): string {
  if (key === CTRL_U) return "";
  if (ERASE.has(key)) return typed.slice(0, -1);
  return key < " " ? typed : typed + key;
}
