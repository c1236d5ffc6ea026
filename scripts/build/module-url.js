// CommonJS has no import.meta.url. This is injected only into modules that use it.
import { pathToFileURL } from "node:url";

export const __moduleUrl = pathToFileURL(__filename).href;
