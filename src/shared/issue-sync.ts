/** A repository as `owner/repo`, and the host if it is not the public one. */
export interface NamedRepository {
  readonly host?: string;
  readonly owner: string;
  readonly repo: string;
}

export const PUBLIC_HOST = "github.com";

/** Reads `owner/repo`; `undefined` for any other text. */
export function readRepository(text: string): NamedRepository | undefined {
  const [, owner, repo] = /^([^/\s]+)\/([^/\s]+)$/.exec(text.trim()) ?? [];
  return owner === undefined || repo === undefined ? undefined : { owner, repo };
}

/** The names of repositories at the host among the git remotes of a project (`host/owner/repo`), each once. */
export function repositoriesAt(
  aliases: readonly { readonly alias_identity: string; readonly alias_kind: string }[],
  host: string = PUBLIC_HOST,
): readonly string[] {
  const prefix = `${host.toLowerCase()}/`;
  const names = aliases
    .filter(({ alias_kind }) => alias_kind === "git")
    .filter(({ alias_identity }) => alias_identity.toLowerCase().startsWith(prefix))
    .map(({ alias_identity }) => alias_identity.slice(prefix.length))
    .filter((name) => readRepository(name) !== undefined);
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()];
}
