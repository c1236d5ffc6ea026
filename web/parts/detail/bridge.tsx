import type { ReactElement } from "react";
import { type BridgeWords, bridgeRows } from "../../../src/screen/detail/bridge-rows.ts";
import type { IssueView } from "../../../src/screen/detail/shown.ts";

interface BridgeProps {
  readonly shown: IssueView;
  readonly times: BridgeWords;
}

/** What the page knows of the bridge of an issue beside the name of its root, and where it can be answered. */
export function DetailBridge({ shown, times }: BridgeProps): ReactElement {
  const rows = bridgeRows(shown, times).filter(
    ({ name, tone }) => name !== "root" || tone !== undefined,
  );
  return (
    <section className="bridge" aria-label="bridge to another tracker">
      {rows.map(({ name, text, tone }) => (
        <p key={`${name} ${text}`} className={tone === undefined ? "none" : `said ${tone}`}>
          {name.charAt(0).toUpperCase()}
          {name.slice(1)}: {text}
        </p>
      ))}
    </section>
  );
}
