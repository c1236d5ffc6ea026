import { type ReactElement, useState } from "react";
import { type Entry, otherMetadata } from "../../src/screen/detail/metadata.ts";

const SHOWN = 6;
/** A longer value is cut until the person asks for the whole of it. */
const CUT = 120;

interface MetadataProps {
  readonly metadata: Readonly<Record<string, unknown>>;
}

export function Metadata({ metadata }: MetadataProps): ReactElement | null {
  const [isAll, showAll] = useState(false);
  const entries = otherMetadata(metadata);
  if (entries.length === 0) return null;
  const shown = isAll ? entries : entries.slice(0, SHOWN);
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
  if (text.length <= CUT) return <span className="value">{text}</span>;
  return (
    <details className="value">
      <summary>{`${text.slice(0, CUT)}…`}</summary>
      <p className="whole-value">{text}</p>
    </details>
  );
}
