import type { ReactElement } from "react";
import type { Times } from "../../src/screen/times.ts";
import type { IssueActs } from "../parts/issue/acts.ts";
import type { ShowAnswer } from "./answers.ts";
import { Boundary } from "./boundary.tsx";
import type { SvcIssueProperties } from "./given.ts";
import { Issue } from "./issue.tsx";
import { declineText, supportsApiSchema } from "./version.ts";

/** What the element shows of the given answers: nothing without an issue, and a line in place of one it cannot show. */
export function contentOf(
  given: SvcIssueProperties,
  how: Times,
  acts: IssueActs,
): ReactElement | null {
  const { issue, health } = given;
  if (issue == null) return null;
  const version = health?.api_schema_version;
  if (!supportsApiSchema(version)) return <Declined text={declineText(version)} />;
  if (!isAnswer(issue)) return UNREADABLE;
  return (
    <Boundary given={given} fallback={UNREADABLE}>
      <Issue given={{ ...given, issue }} {...{ how, acts }} />
    </Boundary>
  );
}

/** Stands in place of an issue if the given answers are not those that they are meant to be. */
const UNREADABLE = (
  <Declined text="This issue is not shown: what was given is not the answer of the API." />
);

function Declined({ text }: { readonly text: string }): ReactElement {
  return <p className="said warn">{text}</p>;
}

/** Whether this is an answer of show, rather than for example an error that a host handed on. */
function isAnswer(given: ShowAnswer): boolean {
  const { issue, links, children, comments }: Partial<ShowAnswer> = given;
  return typeof issue?.uid === "string" && [links, children, comments].every(Array.isArray);
}
