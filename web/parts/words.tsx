import type { ReactElement } from "react";

/** The hue in which a name is shown, in degrees. The same name always has the same hue. */
export function hueOf(name: string): number {
  let hash = 7;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 3600;
  return hash % 360;
}

function hueStyle(name: string): Readonly<Record<string, number>> {
  return { "--hue": hueOf(name) };
}

interface NameProps {
  readonly name: string;
  /** Set if a click on the name does something. The name is then a button. */
  readonly show?: ((name: string) => void) | undefined;
}

export function Label({ name, show }: NameProps): ReactElement {
  const look = { className: "label", style: hueStyle(name) };
  if (show === undefined) return <span {...look}>{name}</span>;
  return (
    <button type="button" {...look} onClick={() => show(name)}>
      {name}
    </button>
  );
}

export function Initials({ name }: { readonly name: string }): ReactElement {
  return (
    <span className="initials" style={hueStyle(name)} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

export function Person({ name, show }: NameProps): ReactElement {
  const look = { className: "person", title: name };
  const inner = (
    <>
      <Initials name={name} />
      <span className="name">{name}</span>
    </>
  );
  if (show === undefined) return <span {...look}>{inner}</span>;
  return (
    <button type="button" {...look} onClick={() => show(name)}>
      {inner}
    </button>
  );
}

/**
 * The first letters of the first and the last word of a name, or the first two letters of a single word. A number
 * counts as a word.
 */
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

/** The text with a capital first letter, as the page writes what the terminal writes in lower case. */
export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
