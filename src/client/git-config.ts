export interface Remote {
  readonly name: string;
  readonly url: string;
}

const SECTION = /^[ \t]*\[[ \t]*([A-Za-z0-9.-]+)(?:[ \t]+"((?:\\.|[^"\\])*)")?[ \t]*\]/;
const URL_LINE = /^[ \t]*url[ \t]*=[ \t]*(.*)$/i;

/** The remotes of a git configuration file by name, each with its first URL. */
export function findRemotes(config: string): readonly Remote[] {
  const remotes = new Map<string, string>();
  let remote: string | undefined;
  for (const line of config.split(/\r?\n/)) {
    const section = SECTION.exec(line);
    if (section !== null) remote = remoteName(section[1] ?? "", section[2]);
    const url = URL_LINE.exec(section === null ? line : line.slice(section[0].length))?.[1];
    if (remote !== undefined && url !== undefined && !remotes.has(remote))
      remotes.set(remote, valueOf(url));
  }
  return [...remotes].map(([name, url]) => ({ name, url }));
}

/** The name of the remote that a section is about: `x` for `[remote "x"]` and for the old form `[remote.x]`. */
function remoteName(section: string, quoted: string | undefined): string | undefined {
  if (quoted !== undefined) {
    return section.toLowerCase() === "remote" ? quoted.replaceAll(/\\(.)/g, "$1") : undefined;
  }
  return /^remote\.(.+)$/i.exec(section)?.[1];
}

function valueOf(text: string): string {
  let value = "";
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') quoted = !quoted;
    else if (char === "\\") value += text.charAt(++at);
    else if (!quoted && (char === "#" || char === ";")) break;
    else value += char;
  }
  return value.trim();
}
