import { join } from "node:path";
import type { BuildOptions } from "esbuild";
import { standIn } from "./stand-in.ts";

const h3File = (file: string): string => join(import.meta.dirname, "h3", file);

/**
 * Stand-ins for the parts of h3 and srvx that refer to Node's Fetch classes as soon as they are imported. The first
 * reference to a Fetch class loads all of Fetch, which takes a tenth of the daemon's start. The daemon answers with
 * node:http and hardly ever needs Fetch, so the stand-ins refer to a class only when it is used.
 */
export const FETCH_WHEN_USED = {
  inject: [h3File("headers.ts")],
  plugins: [standIn("srvx", h3File("srvx.js"))],
} satisfies BuildOptions;
