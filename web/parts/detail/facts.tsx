import { lazy, type ReactElement, Suspense } from "react";
import { bridgeWords } from "../../../src/screen/detail/bridge-words.ts";
import { runsText } from "../../../src/screen/detail/runs.ts";
import { type IssueView, peerOf } from "../../../src/screen/detail/shown.ts";
import { dueOf } from "../../../src/screen/issues/due.ts";
import { partWith, togglePart } from "../../../src/screen/issues/query.ts";
import type { Place } from "../../../src/screen/place/place.ts";
import { placeOf } from "../../../src/screen/place/place-of.ts";
import type { State } from "../../../src/screen/state.ts";
import { LATER } from "../../later.ts";
import { type PainterProps, pointMessage } from "../../painter.ts";
import { Facts } from "../issue/facts.tsx";
import { signWord } from "../sign.tsx";
import { changeFact, useLinks } from "./acts.ts";

const DetailBridge = lazy(LATER.bridge);

export interface DetailPartProps extends PainterProps {
  readonly shown: IssueView;
}

/** The facts of the issue in view, and of its bridge. */
export function DetailFacts({ state, send, shown }: DetailPartProps): ReactElement {
  const listed = state.issues.get(shown.uid);
  const runs = shown.detail?.runs;
  const { query } = state.board;
  return (
    <>
      <Facts
        shown={shown}
        standing={signWord(shown.letter)}
        due={listed === undefined ? undefined : dueOf(state, listed)}
        runs={runs === undefined ? undefined : runsText(runs)}
        titleOf={(uid) => peerOf(state, shown.detail, uid)?.title}
        acts={{
          ...useLinks({ state, send }),
          changeOf: (fact) => changeFact({ state, send }, fact, shown.issue.status === "open"),
          showAuthor: (name) =>
            send(pointMessage({ is: "query", query: togglePart(query, partWith("author", name)) })),
          // Runs belong to one project, but the list may show the issues of all projects.
          showRuns: () => send({ type: "went", place: runsPlace(state, shown.project) }),
        }}
      />
      {shown.issue.external_root === undefined ? null : (
        <Suspense fallback={null}>
          <DetailBridge shown={shown} times={bridgeWords(shown.how)} />
        </Suspense>
      )}
    </>
  );
}

function runsPlace(state: State, project: string): Place {
  return {
    ...placeOf(state),
    screen: "cron",
    tab: "runs",
    project,
    issue: undefined,
    isOpen: false,
  };
}
