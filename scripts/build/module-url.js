// Takes the place of `import.meta.url`, which CommonJS does not have. esbuild adds it only to modules that use it.
import { pathToFileURL } from "node:url";

export const __moduleUrl = pathToFileURL(__filename).href;
