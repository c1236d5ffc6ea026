import type { ReactElement } from "react";

/** The hue of a name: always the same one for the same name. */
export function hueOf(name: string): number {
  let hash = 7;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 3600;
  return hash % 360;
}

function hueStyle(name: string): Readonly<Record<string, number>> {
  return { "--hue": hueOf(name) };
}

export function Label({ name }: { readonly name: string }): ReactElement {
  return (
    <span className="label" style={hueStyle(name)}>
      {name}
    </span>
  );
}

/** A person or agent: initials on a hue of the name, and the name. */
export function Person({ name }: { readonly name: string }): ReactElement {
  return (
    <span className="person" title={name}>
      <span className="initials" style={hueStyle(name)} aria-hidden="true">
        {initialsOf(name)}
      </span>
      <span className="name">{name}</span>
    </span>
  );
}

/** Two letters that tell names apart: of the first and the last word, a number counting as one. */
export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const [first = "?"] = words;
  const last = words.length > 1 ? (words.at(-1) ?? "") : "";
  const letters =
    last === "" ? [...first].slice(0, 2) : [...first].slice(0, 1).concat([...last].slice(0, 1));
  return letters.join("").toUpperCase();
}

export function Priority({ level }: { readonly level: number | undefined }): ReactElement {
  if (level === undefined) return <span className="priority none" />;
  return <span className={`priority p${level}`}>P{level}</span>;
}

export function Key({ name }: { readonly name: string }): ReactElement {
  return <kbd>{name}</kbd>;
}
