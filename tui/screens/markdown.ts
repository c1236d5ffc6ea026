import type { Paint } from "../style.ts";
import { fit, wrap } from "../text.ts";

/** A text as people write it, in lines of exactly `width` cells: headings stand out, code is set in, the rest is wrapped. */
export function markdown(text: string, width: number, paint: Paint): readonly string[] {
  let inCode = false;
  return text.split(/\r\n|[\n\r]/).flatMap((line) => {
    if (/^\s*(```|~~~)/.test(line)) {
      inCode = !inCode;
      return [];
    }
    if (inCode) return wrap(`    ${line}`, width).map((part) => paint("dim", fit(part, width)));
    const heading = /^#{1,6} /.test(line);
    const item = /^(\s*)(?:[-*+]|\d+[.)]) /.exec(line);
    const lead = item === null ? line : ` ${line}`;
    return wrap(lead, width).map((part) =>
      heading ? paint("bold", fit(part, width)) : fit(part, width),
    );
  });
}
