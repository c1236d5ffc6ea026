export interface Actor<S extends string> {
  readonly actor: string;
  readonly source: S;
}

/** Returns the first name that is not blank, trimmed; `undefined` if all names are blank (doc 3). */
export function firstActor<S extends string>(
  known: readonly { readonly actor: string | undefined; readonly source: S }[],
): Actor<S> | undefined {
  for (const { actor = "", source } of known)
    if (actor.trim() !== "") return { actor: actor.trim(), source };
  return undefined;
}
