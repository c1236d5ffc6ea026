/** Details of a JSON text that are lost when `JSON.parse` reads it. */
export interface Members {
  /** The path of the first duplicate member, if any. */
  readonly twice?: string;
  /** The unparsed text of each member of the outermost object, by the member's name. */
  readonly texts: ReadonlyMap<string, string>;
}

interface OpenValue {
  /** Names seen so far; absent for an array. */
  readonly names?: Set<string>;
  readonly path: string;
  items: number;
}

/**
 * Finds the details of a JSON text that `JSON.parse` loses. The text must be valid JSON, because it is not checked
 * here.
 */
export function membersOf(text: string): Members {
  const texts = new Map<string, string>();
  const frames: OpenValue[] = [];
  let path = "";
  let twice: string | undefined;
  let name: string | undefined;
  let valueStart = 0;
  let isName = false;
  const endOfMember = (at: number): void => {
    if (frames.length === 1 && name !== undefined)
      texts.set(name, text.slice(valueStart, at).trim());
    name = frames.length === 1 ? undefined : name;
  };
  for (let at = 0; at < text.length; at++) {
    const frame = frames.at(-1);
    switch (text.charAt(at)) {
      case '"': {
        const end = endOfString(text, at);
        if (isName && frame?.names !== undefined) {
          const found = String(JSON.parse(text.slice(at, end + 1)));
          path = frame.path === "" ? found : `${frame.path}.${found}`;
          if (frame.names.has(found)) twice ??= path;
          frame.names.add(found);
          if (frames.length === 1) name = found;
          isName = false;
        }
        at = end;
        break;
      }
      case ":":
        if (frames.length === 1) valueStart = at + 1;
        break;
      case "{":
        frames.push({ names: new Set(), path, items: 0 });
        isName = true;
        break;
      case "[":
        frames.push({ path, items: 0 });
        path = `${path}[0]`;
        break;
      case ",":
        endOfMember(at);
        if (frame === undefined) break;
        frame.items += 1;
        isName = frame.names !== undefined;
        if (!isName) path = `${frame.path}[${frame.items}]`;
        break;
      case "}":
      case "]":
        endOfMember(at);
        frames.pop();
        isName = false;
        break;
    }
  }
  return { ...(twice === undefined ? {} : { twice }), texts };
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
