import { pathFault } from "../config/path-fault.ts";

/**
 * Returns why compiled code in this folder must not be run, and how to fix that. Returns `undefined` if only this user
 * could have written it. The launcher `bin/run.js` calls this before it loads anything else of svc.
 */
export function compiledFault(folder: string): string | undefined {
  const fault = pathFault(folder, "set XDG_CACHE_HOME to a folder that only you can enter");
  if (fault === undefined) return undefined;
  return `compiled code in ${folder} is not used, since ${fault.path} ${fault.what}; ${fault.hint}`;
}
