let measure;

/**
 * Returns the width of a text in cells. ASCII text, with or without colours, does not need string-width, which is slow
 * to load.
 */
export default function stringWidth(text, options) {
  const bare =
    text.includes("\u001B") && !options?.countAnsiEscapeCodes ? text.replaceAll(COLOUR, "") : text;
  if (ASCII.test(bare)) return bare.length;
  measure ??= require("string-width").default;
  return measure(bare, options);
}

const ASCII = /^[ -~]*$/;
// oxlint-disable-next-line no-control-regex
const COLOUR = /\u001B\[[\d;]*m/g;
