import type { Connection } from "./connection.ts";
import { folds } from "./refold/events.ts";
import { baselines } from "./repos/baseline.ts";
import { bridges } from "./repos/bridges.ts";
import { comments } from "./repos/comments.ts";
import { contents } from "./repos/contents.ts";
import { cron } from "./repos/cron.ts";
import { events } from "./repos/events.ts";
import { federation } from "./repos/federation.ts";
import { holders } from "./repos/holders.ts";
import { imports } from "./repos/imports.ts";
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
import { tokens } from "./repos/tokens.ts";
import { unfoldedRows } from "./rows/unfolded.ts";
import { search } from "./text/search.ts";
import type { UnwrittenRows } from "./text/similar.ts";
import type { Reader } from "./types/store.ts";

/** All that operations read: one repository for each subject. */
export class Repositories implements Reader {
  readonly unfolded: Reader["unfolded"];
  readonly projects: Reader["projects"];
  readonly issues: Reader["issues"];
  readonly links: Reader["links"];
  readonly labels: Reader["labels"];
  readonly comments: Reader["comments"];
  readonly leases: Reader["leases"];
  readonly holders: Reader["holders"];
  readonly recurrences: Reader["recurrences"];
  readonly cron: Reader["cron"];
  readonly runs: Reader["runs"];
  readonly inbox: Reader["inbox"];
  readonly events: Reader["events"];
  readonly past: Reader["past"];
  readonly folds: Reader["folds"];
  readonly baselines: Reader["baselines"];
  readonly search: Reader["search"];
  readonly marks: Reader["marks"];
  readonly imports: Reader["imports"];
  readonly tokens: Reader["tokens"];
  readonly #connection: Connection;
  #bridges: Reader["bridges"] | undefined;
  #contents: Reader["contents"] | undefined;
  #federation: Reader["federation"] | undefined;

  /** With `unwritten`, a search inside a write also finds rows that are not indexed yet. */
  constructor(connection: Connection, unwritten?: UnwrittenRows) {
    this.unfolded = unfoldedRows(connection);
    this.projects = projects(connection);
    this.issues = issues(connection);
    this.links = links(connection);
    this.labels = labels(connection);
    this.comments = comments(connection);
    this.leases = leases(connection);
    this.holders = holders(connection);
    this.recurrences = recurrences(connection);
    this.cron = cron(connection);
    this.runs = runs(connection);
    this.inbox = inbox(connection);
    this.events = events(connection);
    this.past = pastEvents(connection);
    this.folds = folds(connection);
    this.baselines = baselines(connection);
    this.search = search(connection, unwritten);
    this.marks = marks(connection);
    this.imports = imports(connection);
    this.tokens = tokens(connection);
    this.#connection = connection;
  }

  /** Made only when it is needed: few writes are about a bound issue. */
  get bridges(): Reader["bridges"] {
    this.#bridges ??= bridges(this.#connection);
    return this.#bridges;
  }

  /** Made only when it is needed: no operation reads it, only the search by meaning. */
  get contents(): Reader["contents"] {
    this.#contents ??= contents(this.#connection);
    return this.#contents;
  }

  /**
   * The federation repository is made only when it is needed: making its many functions would take a twentieth of a
   * small write, and most writes need none of them.
   */
  get federation(): Reader["federation"] {
    this.#federation ??= federation(this.#connection);
    return this.#federation;
  }
}
