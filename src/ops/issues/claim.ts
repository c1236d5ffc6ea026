import type { claimIssue as contract } from "../../contract/actions.ts";
import { decideClaim } from "../../domain/issues.ts";
import { actorOf } from "../actor.ts";
import { changeIssue } from "../change-issue.ts";
import type { Op } from "../deps.ts";
import type { Replica } from "../federation/bound-replica.ts";
import { claimIssueOnHub } from "../leases/claim-issue-on-hub.ts";
import { copyIn, leasesNotPermitted, withHubs } from "../leases/copy.ts";

export const claimIssue: Op<typeof contract, "store" | "ids" | "fence" | "hubLeases"> = async (
  deps,
  who,
  { params, body },
) => {
  const terms = { force: body.force === true, ifUnowned: body.if_unowned === true };
  let previous: string | null = null;
  let copy: Replica | undefined;
  const here = await changeIssue(deps, who, {
    params,
    actor: body.actor,
    decide: async ({ project, issue }, act, tx) => {
      previous = issue.owner;
      copy = await copyIn(tx, project);
      return copy === undefined ? decideClaim(issue, terms, act) : "unchanged";
    },
  });
  const of = copy as Replica | undefined;
  if (of !== undefined) {
    const asking = withHubs(deps);
    if (!(await asking.hubLeases.permits(of.project_uid))) throw leasesNotPermitted(of);
    const claim = { params, actor: actorOf(who, body.actor), terms };
    const there = await claimIssueOnHub(asking, claim);
    return { ...there, events: there.event === null ? [] : [there.event] };
  }
  return {
    ...here,
    events: here.event === null ? [] : [here.event],
    ...(here.changed && previous !== null ? { previous_owner: previous } : {}),
  };
};
