import { join } from "node:path";
import type { BuildOptions } from "esbuild";
import { standIn } from "./stand-in.ts";

const own = (file: string): string => join(import.meta.dirname, "h3", file);

/**
 * h3 and srvx name Node's Fetch classes as soon as they are imported, and naming one loads all of Fetch, a tenth of the
 * daemon's start. The daemon answers with node:http and hardly ever needs them. So these stand-ins name the classes
 * only when they are used.
 */
export const FETCH_WHEN_USED = {
  inject: [own("headers.ts")],
  plugins: [standIn("srvx", own("srvx.js"))],
} satisfies BuildOptions;
