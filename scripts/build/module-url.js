// CommonJS has no import.meta.url. Injected where a module asks for it, and nowhere else.
import { pathToFileURL } from "node:url";

export const __moduleUrl = pathToFileURL(__filename).href;
