export interface Actor<S extends string> {
  readonly actor: string;
  readonly source: S;
}

/**
 * Returns the first name that is not blank, trimmed; `undefined` if all names are blank
 * (docs/contract/command-line.md#51-actor).
 */
export function firstActor<S extends string>(
  known: readonly { readonly actor: string | undefined; readonly source: S }[],
): Actor<S> | undefined {
  for (const { actor = "", source } of known)
    if (actor.trim() !== "") return { actor: actor.trim(), source };
  return undefined;
}
