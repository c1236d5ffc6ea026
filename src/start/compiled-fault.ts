import { pathFault } from "../config/path-fault.ts";

/**
 * Returns why compiled code in this folder is not run, with the cure, or `undefined` if only this user could have put
 * it there. The launcher `bin/run.js` asks before anything else of svc is loaded.
 */
export function compiledFault(folder: string): string | undefined {
  const fault = pathFault(folder, "set XDG_CACHE_HOME to a folder that only you can enter");
  if (fault === undefined) return undefined;
  return `compiled code in ${folder} is not used, since ${fault.path} ${fault.what}; ${fault.cure}`;
}
