import { resolve } from "node:path";

/**
 * The repository that the URL of a git remote names: a repository on a server (`git`), or a folder on this machine
 * (`local`).
 */
export type RemoteRepository =
  | { readonly kind: "git"; readonly identity: string }
  | { readonly kind: "local"; readonly path: string };

const URL_FORM = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(.*)$/;
/** Matches `user@host:path`. A text with a slash before the colon does not match, because git reads it as a path. */
const SCP_FORM = /^(?:[^@/:]+@)?(\[[^\]]+\]|[^/:]+):(?!\/\/)(.+)$/;

/**
 * Finds the repository that a URL names. Its identity is `host/path`, and is the same for all spellings: without
 * scheme, credentials, port and `.git`, and with the host in lower case. An unusual http port stays, because it
 * distinguishes servers on one machine.
 */
export function readRemote(url: string, root: string): RemoteRepository {
  const parts = URL_FORM.exec(url);
  if (parts !== null) return readUrl((parts[1] ?? "").toLowerCase(), parts[2] ?? "", root);
  const scp = SCP_FORM.exec(url);
  const isDrive = /^[A-Za-z]:[\\/]/.test(url);
  if (scp === null || isDrive) return localPath(url, root);
  return repositoryOn(scp[1] ?? "", "", scp[2] ?? "");
}

function readUrl(scheme: string, rest: string, root: string): RemoteRepository {
  // The URL is file:///path or file://host/path. As in git, the host is ignored.
  if (scheme === "file") return localPath(decoded(rest.replace(/^[^/]*/, "")), root);
  const slash = rest.indexOf("/");
  const authority = slash === -1 ? rest : rest.slice(0, slash);
  const path = slash === -1 ? "" : rest.slice(slash);
  const [, host = "", port = ""] = /^(?:.*@)?(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(authority) ?? [];
  const isWeb = (scheme === "http" && port !== "80") || (scheme === "https" && port !== "443");
  return repositoryOn(host, isWeb ? port : "", path.replace(/[?#].*$/, ""));
}

function repositoryOn(host: string, port: string, path: string): RemoteRepository {
  const place = port === "" ? host.toLowerCase() : `${host.toLowerCase()}:${port}`;
  return { kind: "git", identity: `${place}/${withoutSuffix(path).replace(/^\/+/, "")}` };
}

function withoutSuffix(path: string): string {
  return path
    .replaceAll(/\/{2,}/g, "/")
    .replace(/\/+$/, "")
    .replace(/\.git$/, "")
    .replace(/\/+$/, "");
}

/**
 * A local repository. `/repo/.git` and `/repo` are the same repository. In a bare `/repo.git`, the suffix is part of
 * the name.
 */
function localPath(path: string, root: string): RemoteRepository {
  return { kind: "local", path: resolve(root, path).replace(/[\\/]\.git$/, "") };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The default name for the project of a repository: the last part of the identity. */
export function projectNameOf(identity: string): string {
  return (
    withoutSuffix(identity)
      .split(/[/:\\]/)
      .at(-1) ?? ""
  );
}
