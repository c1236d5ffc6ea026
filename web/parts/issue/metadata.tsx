import { type ReactElement, useState } from "react";
import { type Entry, otherMetadata } from "../../../src/screen/detail/metadata.ts";

const MAX_SHOWN = 6;
/** A longer value is cut until the person asks for the whole of it. */
const MAX_LENGTH = 120;

interface MetadataProps {
  readonly metadata: Readonly<Record<string, unknown>>;
}

export function Metadata({ metadata }: MetadataProps): ReactElement | null {
  const [isAll, showAll] = useState(false);
  const entries = otherMetadata(metadata);
  if (entries.length === 0) return null;
  const shown = isAll ? entries : entries.slice(0, MAX_SHOWN);
  const left = entries.length - shown.length;
  return (
    <>
      {shown.map((entry) => (
        <div key={entry.key} className="fact wide metadata">
          <dt>{entry.key}</dt>
          <dd>
            <Value entry={entry} />
          </dd>
        </div>
      ))}
      {left === 0 ? null : (
        <div className="fact wide metadata">
          <dt>Metadata</dt>
          <dd>
            <button type="button" className="value" onClick={() => showAll(true)}>
              {left} more
            </button>
          </dd>
        </div>
      )}
    </>
  );
}

function Value({ entry: { text } }: { readonly entry: Entry }): ReactElement {
  if (text.length <= MAX_LENGTH) return <span className="value">{text}</span>;
  return (
    <details className="value">
      <summary>{`${text.slice(0, MAX_LENGTH)}…`}</summary>
      <p className="whole-value">{text}</p>
    </details>
  );
}
