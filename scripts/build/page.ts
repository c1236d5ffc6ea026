import { basename } from "node:path";
import type { Metafile } from "esbuild";
import { ASSETS_PATH } from "../../src/daemon/page/manifest.ts";

/**
 * The names of the scripts that a browser needs before it runs the entry: the entry itself and what it imports,
 * directly or indirectly. Scripts that are imported by `import()` are not among them, because they are loaded later.
 */
export function firstLoad({ outputs }: Metafile, entry: string): readonly string[] {
  const found = new Set([outputOf(outputs, entry)]);
  for (const path of found)
    for (const next of outputs[path]?.imports ?? [])
      if (next.kind === "import-statement") found.add(next.path);
  return [...found].map((path) => basename(path));
}

/**
 * Puts the names of the built files into the HTML of the page. The HTML names all scripts of the first load, so that a
 * browser requests them at once.
 */
export function linked(template: string, { outputs }: Metafile, first: readonly string[]): string {
  const page = template.replaceAll(
    /(?<= (?:href|src)=")\.\/([^"]+)(?=")/g,
    (_all, path: string) => {
      return `${ASSETS_PATH}/${basename(outputOf(outputs, `web/${path}`))}`;
    },
  );
  const [, ...imported] = first;
  const hints = imported.map(
    (name) => `    <link rel="modulepreload" href="${ASSETS_PATH}/${name}" />\n`,
  );
  return page.replace(/(?= *<script )/, () => [...hints, ...laterScripts(outputs)].join(""));
}

/** Lines that name the scripts which the page loads later, so that it can request one again (`web/later.ts`). */
function laterScripts(outputs: Metafile["outputs"]): readonly string[] {
  return Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint === undefined || !path.endsWith(".js") || entryPoint === "web/main.tsx"
      ? []
      : [`    <meta name="later-script" content="${ASSETS_PATH}/${basename(path)}" />\n`],
  );
}

function outputOf(outputs: Metafile["outputs"], entry: string): string {
  const found = Object.entries(outputs).find(([, output]) => {
    // A copied file, such as an image, has no entry point. Its only input is the source file.
    return output.entryPoint === entry || Object.keys(output.inputs).join() === entry;
  });
  if (found === undefined) throw new Error(`the build made nothing of ${entry}`);
  return found[0];
}
