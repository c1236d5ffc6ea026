import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Coverage {
  readonly result: readonly {
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

/**
 * The modules of src/ that were loaded, by what Node has written of the functions that ran. In the built files each
 * module that is loaded late is a function with the name of its file.
 */
export function modulesIn(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(folder, name), "utf8")) as Coverage;
    return result
      .flatMap(({ functions }) => functions)
      .filter(({ ranges }) => ranges.some(({ count }) => count > 0))
      .map(({ functionName }) => functionName)
      .filter((one) => one.startsWith("src/"));
  });
}
