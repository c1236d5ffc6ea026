import type { ReactElement } from "react";
import type { DefinitionPage, ReadVersion } from "../../../src/screen/cron/state.ts";
import type { State } from "../../../src/screen/state.ts";
import { agoPhrase } from "../../../src/screen/times.ts";
import type { PainterProps } from "../../painter.ts";
import { CommandButton } from "../button.tsx";

interface DefinitionsProps extends PainterProps {
  readonly page: DefinitionPage;
}

/** Shows the definitions that belong to a run, job or workflow: for each its JSON, and whether it is still current. */
export function Definitions({ state, send, page }: DefinitionsProps): ReactElement {
  return (
    <section className="definitions" aria-label={page.title}>
      <div className="acts">
        <CommandButton {...{ state, send }} command="back" label="Back" icon="back" />
        <h2>{page.title}</h2>
      </div>
      {page.versions === undefined ? <p className="none">loading …</p> : null}
      {page.versions?.map((version) => (
        <article key={`${version.kind} ${version.uid}`}>
          <Version state={state} version={version} />
        </article>
      ))}
    </section>
  );
}

interface VersionProps {
  readonly state: State;
  readonly version: ReadVersion;
}

function Version({ state, version }: VersionProps): ReactElement {
  const { kind, uid } = version;
  if ("error" in version)
    return (
      <p className="said error">
        {kind} {uid}: {version.error}
      </p>
    );
  const { name, actor, at, isCurrent, differs, text } = version;
  const changed =
    differs.length === 0
      ? "written anew since, and the same"
      : `now another: ${differs.join(", ")}`;
  return (
    <>
      <h3>
        {kind} {name}
      </h3>
      <p className="below-fact">
        {agoPhrase(at, state.now)}
        {actor === undefined ? "" : ` by ${actor}`} · {isCurrent ? "it holds now" : changed}
      </p>
      <pre>{text}</pre>
    </>
  );
}
