import type { ReactElement } from "react";
import { counted } from "../../src/base/counted.ts";
import { emptyOf } from "../../src/screen/empty.ts";
import { textsOf } from "../../src/screen/empty-text.ts";
import { noLinks } from "../../src/screen/graph/empty.ts";
import { type GraphRow, graphRows } from "../../src/screen/graph/graph.ts";
import { issueInGraph, letterInGraph } from "../../src/screen/graph/nodes.ts";
import type { GraphState } from "../../src/screen/graph/state.ts";
import { placeOf } from "../../src/screen/place/place-of.ts";
import type { State } from "../../src/screen/state.ts";
import type { PainterProps } from "../painter.ts";
import { Picture } from "../parts/graph/picture.tsx";
import { Icon } from "../parts/icon.tsx";
import { Cell, IssueTitle, Lines } from "../parts/lines.tsx";
import { Acts, Below, RowsScreen, Toggle } from "../parts/screen.tsx";
import { Sign } from "../parts/sign.tsx";
import { useShown } from "../parts/use-shown.ts";
import { Person, Priority } from "../parts/words.tsx";
import { issueUrls } from "../place.ts";
import { rowHeight } from "../room.ts";

interface Line extends GraphRow {
  readonly key: string;
}

/** Draws the issues that an issue is linked to as a tree of rows, or its longest chain of open blockers. */
export function Graph({ state, send }: PainterProps): ReactElement {
  const { graph } = state;
  const lines = graphRows(state).map(
    (row, at): Line => ({ ...row, key: `${row.uid ?? ""} ${at}` }),
  );
  const [isPictured, togglePicture] = useShown("picture");
  const hrefOf = issueUrls(placeOf(state));
  const none = emptyOf(state) === undefined ? noLinks(state) : undefined;
  return (
    <RowsScreen
      name="graph"
      about={graph === undefined ? undefined : aboutOf(state, graph)}
      acts={
        graph === undefined ? null : (
          <GraphTools {...{ state, send, graph, isPictured, togglePicture }} />
        )
      }
      error={graph?.error}
      below={
        none === undefined ? null : (
          <Below label="no links">
            {textsOf(none).map((text) => (
              <p key={text} className="below-fact">
                {text}
              </p>
            ))}
          </Below>
        )
      }
    >
      <div className="graph-views">
        {isPictured ? <Picture state={state} send={send} /> : null}
        <Lines
          state={state}
          send={send}
          label="graph"
          linksSelect
          rows={lines}
          keyOf={({ key }) => key}
          rowHeight={rowHeight(state.window.columns)}
          commands={{ fold: "graph-fold" }}
          draw={(line) => <Linked state={state} row={line} hrefOf={hrefOf} />}
          lookOf={({ uid = "" }) => ({ "data-issue": uid })}
        />
      </div>
    </RowsScreen>
  );
}

function aboutOf(state: State, { source, data, depth, showChain }: GraphState): string {
  const name = issueInGraph(state, source)?.qualified_id ?? source;
  if (showChain) return `critical path to ${name}`;
  const counts =
    data === undefined
      ? ""
      : ` · ${counted(data.nodes.length, "issue")}, ${counted(data.edges.length, "link")}`;
  const how = depth === "full" ? "" : ` · up to ${counted(depth, "link")} away`;
  return `${name}${counts}${how}`;
}

interface GraphToolsProps extends PainterProps {
  readonly graph: GraphState;
  readonly isPictured: boolean;
  togglePicture(): void;
}

function GraphTools(props: GraphToolsProps): ReactElement {
  const { state, send, graph, isPictured, togglePicture } = props;
  const { hideDone, transitive, showChain } = graph;
  return (
    <>
      <Acts
        {...{ state, send }}
        acts={[
          {
            command: "graph-chain",
            label: showChain ? "All links" : "Critical path",
            look: "bordered",
          },
          { command: "graph-root", label: "From here" },
          { command: "graph-less", label: "Nearer" },
          { command: "graph-more", label: "Farther" },
          { command: "graph-done", label: hideDone ? "Show closed" : "Hide closed" },
          { command: "graph-transitive", label: transitive ? "Hide implied" : "Show implied" },
        ]}
      />
      <Toggle
        label="Picture"
        title="Show the graph as boxes and arrows too"
        isOn={isPictured}
        toggle={togglePicture}
      />
    </>
  );
}

interface LinkedProps {
  readonly state: State;
  readonly row: GraphRow;
  hrefOf(uid: string): string;
}

/**
 * Draws a row of the tree. The row is an issue with the word for its link to the issue above it, or a heading. A
 * heading has no uid.
 */
function Linked({ state, row, hrefOf }: LinkedProps): ReactElement {
  const { uid, note, parent, depth, word } = row;
  if (uid === undefined)
    return (
      <Cell name="title">
        <span className="heading">{note.trim()}</span>
      </Cell>
    );
  const found = issueInGraph(state, uid);
  const issue = state.issues.get(uid);
  const isFolded = state.graph?.folded.has(uid) === true;
  return (
    <>
      <span className="cell lead" role="gridcell" style={{ "--depth": depth }}>
        <span className="indent" />
        {parent ? (
          <span className="fold" data-do="fold" data-open={!isFolded}>
            <Icon name="chevron" />
          </span>
        ) : (
          <span className="fold" />
        )}
        {word === "" ? null : (
          <span className="link-word" data-word={word}>
            {word}
          </span>
        )}
        <Sign letter={letterInGraph(state, uid)} />
      </span>
      <Priority level={issue?.priority} />
      <Cell name="title">
        <IssueTitle className="text" href={hrefOf(uid)} title={found?.title ?? uid} />
        {note === "" ? null : <span className="counts">{note}</span>}
      </Cell>
      {found?.owner === undefined ? null : (
        <Cell name="owner wide">
          <Person name={found.owner} />
        </Cell>
      )}
      <Cell name="id wide">{found?.qualified_id}</Cell>
    </>
  );
}
