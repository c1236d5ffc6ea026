import type { ReactElement } from "react";
import { counted } from "../../src/base/counted.ts";
import { projectParts } from "../../src/screen/issues/progress.ts";
import { projectLabel } from "../../src/screen/scope/copies.ts";
import { countsOf } from "../../src/screen/scope/counts.ts";
import type { ProjectItem } from "../../src/screen/scope/state.ts";
import { timePhrase } from "../../src/screen/times.ts";
import type { PainterProps } from "../painter.ts";
import { CommandButton } from "../parts/button.tsx";
import { Cell, Lines } from "../parts/lines.tsx";
import { PartBar } from "../parts/progress.tsx";
import { RowsScreen } from "../parts/screen.tsx";
import { HOME, urlOf } from "../place.ts";
import { rowHeight } from "../room.ts";

/** A line of the list: a project, or the sum of all projects, which has no uid. */
type Line = Pick<ProjectItem, "open" | "closed"> & Partial<ProjectItem>;

const keyOf = ({ uid }: Line): string => uid ?? "all";

export function Projects({ state, send }: PainterProps): ReactElement {
  const { projects, project } = state.scope;
  const counts = countsOf(projects);
  const lines: readonly Line[] = [counts, ...projects];
  return (
    <RowsScreen
      about={`${counted(projects.length, "project")} · ${counts.open} open · ${counts.closed} closed`}
      acts={
        <CommandButton {...{ state, send }} command="project-new" label="New project" icon="plus" />
      }
    >
      <Lines
        state={state}
        send={send}
        label="projects"
        rows={lines}
        keyOf={keyOf}
        rowHeight={rowHeight(state.window.columns)}
        draw={(line) => <Project state={state} send={send} line={line} />}
        lookOf={({ id }) => ({ "data-here": id === project?.id })}
      />
    </RowsScreen>
  );
}

function Project({ state, send, line }: PainterProps & { readonly line: Line }): ReactElement {
  const { name, open, closed, last } = line;
  const place = { ...HOME, project: name };
  return (
    <>
      <Cell name="title">
        <a href={urlOf(place)} tabIndex={-1} draggable={false}>
          {name === undefined ? "All projects" : projectLabel({ ...line, name })}
        </a>
      </Cell>
      <Cell name="progress">
        <PartBar
          parts={projectParts(state, line)}
          draw={({ is }, look) => {
            const there = { ...place, query: `status:${is}` };
            return (
              <a
                key={is}
                {...look}
                href={urlOf(there)}
                aria-label={`${look.title} in ${name ?? "all projects"}`}
                tabIndex={-1}
                draggable={false}
                onClick={(event) => {
                  // The handler of the row must not run too: it would show the project without this filter. With a
                  // modifier key, the browser itself opens the link.
                  event.stopPropagation();
                  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                  event.preventDefault();
                  send({ type: "went", place: there });
                }}
              />
            );
          }}
        />
      </Cell>
      <Cell name="figure">
        <strong>{open}</strong> open
      </Cell>
      <Cell name="figure wide">{closed} closed</Cell>
      <Cell name="changed-at wide">{last === undefined ? "" : timePhrase(state, last)}</Cell>
    </>
  );
}
