/** Terminal escape sequences, starting with ESC or a C1 control character. */
const ESCAPES = new RegExp(
  [
    // An operating system command, such as a window title or a link.
    String.raw`(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?`,
    // A control sequence, such as a colour or a cursor movement.
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?`,
    // Any other sequence that starts with ESC.
    String.raw`\u001b[ -/]*[0-~]?`,
  ].join("|"),
  "g",
);

/**
 * Control and format characters, which move the cursor, reverse the reading order or hide text. Joiners stay, because
 * emoji and several scripts need them. The pattern is made in a function: making it looks up its classes of characters,
 * and every command would wait for that.
 */
function unprintable(): RegExp {
  return /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;
}
const JOINERS = new Set(["\u200c", "\u200d"]);

/**
 * Makes a text that others wrote safe to print: on one line and without escape sequences. A line break shows as `\n`
 * (docs/contract/command-line.md#13-streams-and-failures).
 */
export function oneLine(text: string): string {
  return strip(text.replaceAll("\r\n", "\n"), (char) => {
    if (char === "\n") return "\\n";
    return char === "\t" ? " " : "";
  });
}

/** Makes a text that others wrote safe to print: without escape sequences, but with its line breaks and tabs. */
export function manyLines(text: string): string {
  return strip(text.replaceAll("\r\n", "\n"), (char) =>
    char === "\n" || char === "\t" ? char : "",
  );
}

function strip(text: string, instead: (char: string) => string): string {
  if (/^[ -~]*$/.test(text)) return text;
  return text
    .replace(ESCAPES, "")
    .replace(unprintable(), (char) => (JOINERS.has(char) ? char : instead(char)));
}
