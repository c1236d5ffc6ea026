import { Fragment, type ReactElement, type ReactNode, useLayoutEffect, useRef } from "react";
import { pointMessage, type Send } from "../../painter.ts";

interface OptionsProps {
  readonly id: string;
  readonly send: Send;
  readonly label: string;
  readonly options: readonly ReactNode[];
  /** The headings above options, by the place of the option that comes first below the heading. */
  readonly heads?: ReadonlyMap<number, string>;
  readonly at: number | undefined;
}

/** The choices below an input. The focus stays in the input, which names the active choice to screen readers. */
export function Options({
  id,
  send,
  label,
  options,
  heads,
  at,
}: OptionsProps): ReactElement | null {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at]);
  if (options.length === 0) return null;
  return (
    <div ref={list} className="options" role="listbox" id={id} aria-label={label}>
      {options.map((option, place) => (
        <Fragment key={optionId(id, place)}>
          {heads?.has(place) === true ? (
            // ARIA allows only options in a listbox, so the heading is hidden from screen readers.
            <p className="option-head" aria-hidden="true">
              {heads.get(place)}
            </p>
          ) : null}
          <div
            id={optionId(id, place)}
            className="option"
            role="option"
            tabIndex={-1}
            aria-selected={place === at}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => send(pointMessage({ is: "option", at: place }))}
          >
            {option}
          </div>
        </Fragment>
      ))}
    </div>
  );
}

export function optionId(id: string, at: number | undefined): string | undefined {
  return at === undefined ? undefined : `${id}-${at}`;
}
