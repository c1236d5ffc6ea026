/** Escape sequences of a terminal, in the forms that start with ESC and with a C1 control character. */
const ESCAPES = new RegExp(
  [
    // Operating system command, as a window title or a link, up to its end.
    String.raw`(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?`,
    // Control sequence, as a colour or a jump of the cursor.
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?`,
    // Everything else that starts with ESC.
    String.raw`\u001b[ -/]*[0-~]?`,
  ].join("|"),
  "g",
);

/**
 * Control and format characters: they move the cursor, reverse the reading order or hide text. The joiners stay: emoji
 * and several scripts are written with them.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;
const JOINERS = new Set(["\u200c", "\u200d"]);

/** Text of a person or an agent on one line of a terminal: no escape reaches it, a line break shows as `\n` (1.3). */
export function oneLine(text: string): string {
  return strip(text.replaceAll("\r\n", "\n"), (char) => {
    if (char === "\n") return "\\n";
    return char === "\t" ? " " : "";
  });
}

/** The same for text that may have several lines: line breaks and tabs stay. */
export function manyLines(text: string): string {
  return strip(text.replaceAll("\r\n", "\n"), (char) =>
    char === "\n" || char === "\t" ? char : "",
  );
}

function strip(text: string, instead: (char: string) => string): string {
  if (/^[ -~]*$/.test(text)) return text;
  return text
    .replace(ESCAPES, "")
    .replace(UNPRINTABLE, (char) => (JOINERS.has(char) ? char : instead(char)));
}
