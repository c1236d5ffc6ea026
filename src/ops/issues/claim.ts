import type { claimIssue as contract } from "../../contract/actions.ts";
import { decideClaim } from "../../domain/issues.ts";
import { actorOf } from "../actor.ts";
import { changeIssue } from "../change-issue.ts";
import type { Op } from "../deps.ts";
import type { Replica } from "../federation/bound-replica.ts";
import { claimIssueOnHub } from "../leases/claim-issue-on-hub.ts";
import { copyIn, withHubs } from "../leases/copy.ts";

export const claimIssue: Op<typeof contract, "store" | "ids" | "fence" | "hubLeases"> = async (
  deps,
  who,
  { params, body },
) => {
  const terms = { force: body.force === true, ifUnowned: body.if_unowned === true };
  let previous: string | null = null;
  let copy: Replica | undefined;
  const claimHere = async (asksHub: boolean) =>
    await changeIssue(deps, who, {
      params,
      actor: body.actor,
      decide: async ({ project, issue }, act, tx) => {
        previous = issue.owner;
        copy = asksHub ? await copyIn(tx, project) : undefined;
        return copy === undefined ? decideClaim(issue, terms, act) : "unchanged";
      },
    });
  const here = await claimHere(true);
  const of = copy as Replica | undefined;
  if (of !== undefined && (await deps.hubLeases?.permits(of.project_uid)) === true) {
    const claim = { params, actor: actorOf(who, body.actor), terms };
    const there = await claimIssueOnHub(withHubs(deps), claim);
    return { ...there, events: there.event === null ? [] : [there.event] };
  }
  const result = of === undefined ? here : await claimHere(false);
  return {
    ...result,
    events: result.event === null ? [] : [result.event],
    ...(result.changed && previous !== null ? { previous_owner: previous } : {}),
  };
};
