import type { Web } from "./web.ts";

interface CreateAnswer {
  readonly project: { readonly id: number };
  readonly issue: { readonly short_id: string; readonly uid: string };
}

/** A project in which people work: owners, labels, links, parents, comments, requests, dates and a recurring job. */
export async function lived(web: Pick<Web, "call">): Promise<CreateAnswer["issue"]> {
  const make = async (path: string, body: object): Promise<CreateAnswer> => {
    const { status, body: answer } = await web.call("POST", path, { actor: "ann", ...body });
    if (status >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer as CreateAnswer;
  };
  const { project } = await make("/projects", { name: "harbour" });
  await make("/projects", { name: "lighthouse" });
  const issues = `/projects/${project.id}/issues`;
  const epic = (await make(issues, { title: "Open the new quay for ferries", priority: 1 })).issue;
  const made = new Map<string, CreateAnswer["issue"]>();
  for (const [title, more] of ISSUES) {
    const links = [{ type: "parent", to_ref: epic.short_id }];
    const { issue } = await make(issues, {
      title,
      ...(made.size < 5 ? { links } : {}),
      force_new: true,
      ...more,
    });
    made.set(title, issue);
  }
  const [first, second, third, fourth] = [...made.values()];
  if (first === undefined || second === undefined || third === undefined || fourth === undefined)
    throw new Error("too few issues");
  const at = (issue: CreateAnswer["issue"]) => `${issues}/${issue.short_id}`;
  await make(`${at(first)}/links`, { type: "blocks", to_ref: second.short_id });
  await make(`${at(second)}/links`, { type: "blocks", to_ref: third.short_id });
  await make(`${at(first)}/comments`, { body: "The divers were there on Monday.", actor: "bo" });
  await make(`${at(first)}/comments`, { body: "Good. Then we can **pour**.", actor: "ann" });
  await make(`${at(second)}/actions/notify`, {
    ...{ to: "ann", message: "Which of the two cranes?", actor: "worker-2" },
  });
  await make(`${at(first)}/actions/notify`, {
    ...{ to: "ann", message: "The stone is here. Shall I begin?", actor: "worker-1" },
  });
  await make(`${at(fourth)}/actions/close`, {
    reason: "done",
    message: "All twelve bollards are in, and each bears the load of the plan.",
    evidence: [{ type: "commit", sha: "1f2e3d4" }],
  });
  await web.call("PATCH", `${at(third)}`, {
    metadata: { deadline_on: "2099-03-01" },
    actor: "ann",
  });
  const definition = {
    ...{ version: 1, kind: "job", enabled: true, catchup: "latest", overlap: "allow" },
    trigger: { kind: "cron", cron: "0 9 * * 1", timezone: "Europe/Berlin" },
    issue: { kind: "per-run", title: "Walk along the quay", parent_uid: epic.uid },
    action: { kind: "notify", recipient: "current-owner-or-author" },
  };
  await make(`/projects/${project.id}/cron/jobs`, {
    ...{ uid: "01M80000000000000000000J01", name: "weekly walk", definition },
  });
  return first;
}

const BODY = `The quay wall has to bear **two ferries** at once.

- [x] measure the ground
- [ ] pour the foundation
- [ ] set the bollards, as in #none

> The harbour master wants the plan before that.

| ferry | length |
| :-- | --: |
| Anna | 82 m |
| Berta | 104 m |

See [the rules](https://example.org/rules) and \`quay.yaml\`.`;

const ISSUES: readonly (readonly [string, object])[] = [
  [
    "Pour the foundation of the quay wall",
    { body: BODY, owner: "worker-1", labels: ["stone"], priority: 0 },
  ],
  ["Set up the crane at the north end", { owner: "worker-2", labels: ["machines"], priority: 2 }],
  ["Connect water and power", { labels: ["machines", "safety"], priority: 2 }],
  ["Set the bollards", { owner: "bo", labels: ["stone"] }],
  ["Paint the edge and put up signs", { labels: ["safety"], priority: 3 }],
  [
    "Agree with the ferry company on the timetable",
    { owner: "ann", labels: ["office"], priority: 1 },
  ],
  ["A ladder of the old quay is loose", { labels: ["bug", "safety"], priority: 1 }],
  ["Tickets cannot be bought with coins", { owner: "worker-2", labels: ["bug"] }],
  ["Write down who has keys to the boathouse", { owner: "cy", labels: ["office"], priority: 4 }],
  [
    "Move the waiting hall closer to the landing stage, with a roof over the whole way",
    { labels: ["office"] },
  ],
];
