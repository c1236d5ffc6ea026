import { type ReactElement, useEffect, useState } from "react";
import { Html, linkNames, Plain } from "../parts/issue/prose.tsx";
import { type Formatted, Formatter } from "./formatted.ts";

const formatter = new Formatter(async () => (await import("../markdown/html.ts")).htmlOf);

interface TextProps {
  readonly text: string;
  /** The project that an issue id without a project (`#abc4`) refers to. */
  readonly project: string;
  /** Opens the issue with this qualified id. */
  open(name: string): void;
}

export function Text({ text, project, open }: TextProps): ReactElement {
  const formatted = useFormatted(text);
  if (formatted === "plain")
    return (
      <div className="prose">
        <Plain text={text} />
      </div>
    );
  return (
    <Html
      html={formatted?.html ?? ""}
      linkIssues={(prose) => linkNames(prose, project, (ref) => ({ ref }))}
      open={open}
    />
  );
}

/** The formatted text; `undefined` until it has been made. */
function useFormatted(text: string): Formatted | undefined {
  const [come, setCome] = useState<{ readonly text: string; readonly formatted: Formatted }>();
  const found = formatter.known(text);
  const isDone = found !== undefined || come?.text === text;
  useEffect(() => {
    if (isDone) return;
    let isLeft = false;
    void formatter.format(text).then((formatted) => {
      if (!isLeft) setCome({ text, formatted });
    });
    return () => {
      isLeft = true;
    };
  }, [text, isDone]);
  return found ?? (come?.text === text ? come.formatted : undefined);
}
