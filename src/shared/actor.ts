export interface Actor<S extends string> {
  readonly actor: string;
  /** Where the name comes from. */
  readonly source: S;
}

/** Who acts: the first name that is not blank, trimmed; none where all are (doc 3). */
export function firstActor<S extends string>(
  known: readonly { readonly actor: string | undefined; readonly source: S }[],
): Actor<S> | undefined {
  for (const { actor = "", source } of known)
    if (actor.trim() !== "") return { actor: actor.trim(), source };
  return undefined;
}
