import type { Connection } from "./connection.ts";
import { keptRows } from "./kept.ts";
import { comments } from "./repos/comments.ts";
import { cron } from "./repos/cron.ts";
import { events } from "./repos/events.ts";
import { holders } from "./repos/holders.ts";
import { inbox } from "./repos/inbox.ts";
import { issues } from "./repos/issues.ts";
import { labels } from "./repos/labels.ts";
import { leases } from "./repos/leases.ts";
import { links } from "./repos/links.ts";
import { marks } from "./repos/marks.ts";
import { pastEvents } from "./repos/past-events.ts";
import { projects } from "./repos/projects.ts";
import { recurrences } from "./repos/recurrences.ts";
import { runs } from "./repos/runs.ts";
import { search } from "./text/search.ts";
import type { Unwritten } from "./text/similar.ts";
import type { Reader } from "./types.ts";

/** Everything that can be read on a session; inside a write it also sees what the write has not indexed yet. */
export function reader(connection: Connection, unwritten?: Unwritten): Reader {
  return {
    kept: keptRows(connection),
    projects: projects(connection),
    issues: issues(connection),
    links: links(connection),
    labels: labels(connection),
    comments: comments(connection),
    leases: leases(connection),
    holders: holders(connection),
    recurrences: recurrences(connection),
    cron: cron(connection),
    runs: runs(connection),
    inbox: inbox(connection),
    events: events(connection),
    past: pastEvents(connection),
    search: search(connection, unwritten),
    ...marks(connection),
  };
}
