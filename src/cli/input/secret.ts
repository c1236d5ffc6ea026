import { usage } from "../failure/failure.ts";
import type { ProcessContext } from "../process-context.ts";
import { readTextFile } from "./file.ts";

const MAX_SECRET_BYTES = 8192;

/**
 * Returns a secret from an environment variable, from a file, or from a line of standard input; a terminal does not
 * show what is typed. A secret is never an argument: other users see arguments in the list of processes, and shells
 * keep them.
 */
export async function secretFrom(
  context: ProcessContext,
  from: {
    readonly variable: string | undefined;
    readonly file: string | undefined;
    readonly what: string;
  },
): Promise<string> {
  const { variable, file, what } = from;
  if (variable !== undefined && file !== undefined)
    throw usage("give the variable or the file, not both");
  if (variable !== undefined) return secretIn(context.env[variable], `${variable} is not set`);
  if (file === undefined && context.stdinIsTerminal) {
    context.stderr.write(`Paste ${what} (it is not shown): `);
    const typed = await context.readHiddenLine();
    context.stderr.write("\n");
    return secretIn(typed, `${what} is missing`);
  }
  const { name, path } =
    file === undefined ? { name: "standard input", path: "-" } : { name: file, path: file };
  const text = readTextFile(path, context, { name, most: MAX_SECRET_BYTES });
  return secretIn(text, `${what} is missing: ${name} is empty`);
}

function secretIn(text: string | undefined, missing: string): string {
  const secret = (text ?? "").trim();
  if (secret === "") throw usage(missing);
  return secret;
}
