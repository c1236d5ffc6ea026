import { type ReactElement, type ReactNode, useLayoutEffect, useRef } from "react";
import { pointed, type Send } from "../../painter.ts";

interface OptionsProps {
  readonly id: string;
  readonly send: Send;
  readonly label: string;
  readonly options: readonly ReactNode[];
  readonly at: number | undefined;
}

/** The choices below an input. The focus stays in the input, which names the active choice to screen readers. */
export function Options({ id, send, label, options, at }: OptionsProps): ReactElement | null {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at]);
  if (options.length === 0) return null;
  return (
    <div ref={list} className="options" role="listbox" id={id} aria-label={label}>
      {options.map((option, place) => (
        <div
          key={optionId(id, place)}
          id={optionId(id, place)}
          className="option"
          role="option"
          tabIndex={-1}
          aria-selected={place === at}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => send(pointed({ is: "option", at: place }))}
        >
          {option}
        </div>
      ))}
    </div>
  );
}

export function optionId(id: string, at: number | undefined): string | undefined {
  return at === undefined ? undefined : `${id}-${at}`;
}
