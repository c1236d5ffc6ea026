import type { ReactElement } from "react";
import type { Letter } from "../../src/screen/issues/relations.ts";

type SignName = Letter | "~" | "?";

const WORDS: Readonly<Record<SignName, string>> = {
  o: "ready",
  b: "blocked",
  w: "waiting",
  x: "closed",
  "~": "does not match: shown for what is below it",
  "?": "not read yet",
};

/**
 * The sign for the state of an issue. Each state has its own shape, because not everybody can tell the colours apart.
 */
export function Sign({ letter }: { readonly letter: SignName }): ReactElement {
  return (
    <svg className={`sign sign-${CLASSES[letter]}`} viewBox="0 0 16 16" role="img">
      <title>{WORDS[letter]}</title>
      {shapeOf(letter)}
    </svg>
  );
}

interface PlacedSignProps {
  readonly letter: SignName;
  readonly x: number;
  readonly y: number;
}

/** The sign for the state of an issue, for use inside another SVG drawing. */
export function PlacedSign({ letter, x, y }: PlacedSignProps): ReactElement {
  return (
    <g className={`sign sign-${CLASSES[letter]}`} transform={`translate(${x} ${y})`}>
      {shapeOf(letter)}
    </g>
  );
}

export function signWord(letter: SignName): string {
  return WORDS[letter];
}

const CLASSES: Readonly<Record<SignName, string>> = {
  o: "ready",
  b: "blocked",
  w: "waiting",
  x: "closed",
  "~": "context",
  "?": "context",
};

function shapeOf(letter: SignName): ReactElement {
  switch (letter) {
    case "o":
      return <circle cx="8" cy="8" r="5.75" />;
    case "b":
      return (
        <>
          <circle cx="8" cy="8" r="5.75" />
          <path d="M5.3 8h5.4" />
        </>
      );
    case "w":
      return <circle cx="8" cy="8" r="5.75" strokeDasharray="2.2 2.32" />;
    case "x":
      return (
        <>
          <circle cx="8" cy="8" r="6.5" className="fill" />
          <path d="M5.2 8.2l2 2 3.7-4.3" className="mark" />
        </>
      );
    default:
      return <circle cx="8" cy="8" r="1.5" className="fill" />;
  }
}
