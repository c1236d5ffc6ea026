import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The contents of files, by path. */
export type Tree = Readonly<Record<string, string>>;

export function writeTree(root: string, tree: Tree): string {
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** Files as Backlog.md 1.x writes them. */
export const BACKLOG_TREE: Tree = {
  "backlog/config.yml": `project_name: "Shop"
statuses: ["To Do", "In Progress", "Live"]
task_prefix: "shop"
`,
  "backlog/tasks/readme.md": "# Tasks\n\nHow tasks are written.\n",
  "backlog/tasks/shop-7 - Pay-by-card.md": `---
id: SHOP-7
title: 'Pay: by card'
status: In Progress
assignee:
  - '@ann'
  - '@bea'
reporter: '@cid'
created_date: '2026-03-01 09:00'
updated_date: '2026-03-05 12:30'
due_date: '2026-06-01'
labels:
  - Check Out
milestone: m-1
dependencies:
  - task-3
  - SHOP-09
references:
  - https://example.org/spec
priority: high
type: feature
ordinal: 7000
---

## Description

<!-- SECTION:DESCRIPTION:BEGIN -->
Let people pay by card.
<!-- SECTION:DESCRIPTION:END -->

## Acceptance Criteria
<!-- AC:BEGIN -->
- [x] #1 The form asks for a card
- [ ] #2 A refused card says why
<!-- AC:END -->

## Implementation Notes

<!-- SECTION:NOTES:BEGIN -->
Ask the bank.
<!-- SECTION:NOTES:END -->

## Comments

<!-- COMMENTS:BEGIN -->
author: @bea
created: 2026-03-02 10:00
---
Which bank?
---

created: 2026-03-06 08:00
---
The old one.

Both cards.
---
<!-- COMMENTS:END -->
`,
  "backlog/tasks/shop-7.1 - Card-form.md": `---
id: SHOP-7.1
title: Card form
status: To Do
assignee: []
created_date: '2026-03-02'
labels: []
dependencies: []
parent_task_id: SHOP-7
priority: low
---
`,
  "backlog/completed/shop-3 - Basket.md": `---
id: task-3
title: Basket
status: Live
assignee: @ann
created_date: 2026-01-01
completed_date: 2026-02-01
labels: ["done-early"]
dependencies: []
---

## Description

A basket.

## Comments
<!-- COMMENTS:BEGIN -->
<!-- COMMENT:BEGIN -->
index: 1
author: ann
created: 2026-01-05 10:00

Was easy.
<!-- COMMENT:END -->
<!-- COMMENTS:END -->
`,
  "backlog/archive/tasks/shop-5 - Pay-by-cheque.md": `---
id: SHOP-5
title: Pay by cheque
status: To Do
created_date: '2026-01-02 10:00'
labels: []
dependencies: []
---
`,
  "backlog/archive/tasks/shop-7 - Older.md": `---
id: SHOP-7
title: 'Pay: by card'
status: To Do
created_date: '2026-03-01 09:00'
updated_date: '2026-12-31 10:00'
---
`,
  "backlog/drafts/draft-1 - Gift-cards.md": `---
id: DRAFT-1
title: Gift cards
status: Draft
---
`,
  "backlog/docs/doc-1 - Style.md": `---
id: doc-1
title: Style
type: guide
---
`,
};

const ULID = (digit: number): string => `01kf746eqah0vy45wrfdax9z${digit}${digit}`;

export const tbdId = (digit: number): string => `is-${ULID(digit)}`;

/** Files as tbd 0.7 writes them. */
export const TBD_TREE: Tree = {
  ".tbd/config.yml": "tbd_format: f08\ndisplay:\n  id_prefix: web\n",
  ".tbd/data-sync/mappings/ids.yml": `a7k2: ${ULID(1)}\n"0622": ${ULID(2)}\nb3m9: ${ULID(3)}\n`,
  [`.tbd/data-sync/issues/${tbdId(1)}.md`]: `---
type: is
id: ${tbdId(1)}
title: Load the page faster
kind: epic
status: open
priority: 1
version: 3
spec_path: docs/specs/fast.md
assignee: ann
labels:
  - perf
dependencies:
  - type: blocks
    target: ${tbdId(3)}
due_date: 2026-06-01T00:00:00.000Z
created_at: 2026-01-17T23:21:11.137Z
updated_at: 2026-03-09T16:12:31.170Z
---
Measure first.

## Notes

See the profile.
`,
  [`.tbd/data-sync/issues/${tbdId(2)}.md`]: `---
type: is
id: ${tbdId(2)}
title: Cache pictures
kind: task
status: closed
priority: 2
version: 5
labels: []
dependencies: []
parent_id: ${tbdId(1)}
created_by: bea
created_at: 2026-01-18T00:00:00.000Z
updated_at: 2026-01-20T00:00:00.000Z
closed_at: 2026-01-19T00:00:00.000Z
close_reason: The network does it.
resolution: canceled
---
`,
  [`.tbd/data-sync/issues/${tbdId(3)}.md`]: `---
type: is
id: ${tbdId(3)}
title: Ship it
kind: task
status: in_progress
hold: paused
priority: 0
version: 1
labels: []
dependencies: []
created_at: 2026-01-18T01:00:00.000Z
updated_at: 2026-01-18T01:00:00.000Z
---
`,
};

/** Files as people write them by hand. */
export const MARKDOWN_TREE: Tree = {
  "README.md": "# How we work\n",
  "bugs/login-timeout.md": `---
title: Login times out
status: In progress
Priority: urgent
tags: "auth, #mobile"
assignee: "@ann"
created: 2026-02-01
updatedAt: 2026-02-03T10:00:00+01:00
depends_on: [12, "[[Rotate keys]]"]
blocks:
  - release
component: gateway
estimate: 1.50
comments:
  - author: bea
    date: 2026-02-02
    text: Only on Mondays.
---

It waits for ever.
`,
  "bugs/0012-session.md": `---
id: 12
title: Keep the session
state: done
owner: bea
closed_at: 2026-01-10
created: 2026-01-05
---
`,
  "keys.md": `---
id: SEC-4
title: Rotate keys
status: won't fix
due: 2026-05-01
parent: release
created: 2026-01-06
updated: 2026-01-07
---
`,
  "release.md": `---
status: someday
type: epic
created: 2026-01-01
---

# The first release

Everything.
`,
  "notes/monday.md": "---\ntitle: Meeting on Monday\ntype: note\n---\n",
  "templates/mail.md": "---\nlayout: mail\n---\n",
};
