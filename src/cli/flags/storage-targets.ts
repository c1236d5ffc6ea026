import { usage } from "../failure/failure.ts";

/**
 * Checks the form of each `--storage-target`, and that no alias is given twice. The messages do not repeat the target,
 * because it may be a DSN with a password.
 */
export function storageTargets(targets: readonly string[] = []): readonly string[] {
  const aliases = targets.map((text) => /^([A-Za-z0-9._-]{1,64})=./.exec(text)?.[1]);
  if (aliases.includes(undefined))
    throw usage(
      "--storage-target needs alias=path or alias=DSN",
      "an alias has 1 to 64 of a-z A-Z 0-9 . _ -",
    );
  if (new Set(aliases).size < aliases.length) throw usage("--storage-target names an alias twice");
  return targets;
}
