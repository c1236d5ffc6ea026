import type { Connection } from "./connection.ts";
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
import { unfoldedRows } from "./unfolded.ts";

type Marks = ReturnType<typeof marks>;

/**
 * Everything that can be read on a session; inside a write it also sees what the write has not indexed yet. Each
 * repository is made when it is first used: most reads and writes use few of them.
 */
export class Repositories implements Reader {
  readonly #connection: Connection;
  readonly #unwritten: Unwritten | undefined;
  #unfolded: Reader["unfolded"] | undefined;
  #projects: Reader["projects"] | undefined;
  #issues: Reader["issues"] | undefined;
  #links: Reader["links"] | undefined;
  #labels: Reader["labels"] | undefined;
  #comments: Reader["comments"] | undefined;
  #leases: Reader["leases"] | undefined;
  #holders: Reader["holders"] | undefined;
  #recurrences: Reader["recurrences"] | undefined;
  #cron: Reader["cron"] | undefined;
  #runs: Reader["runs"] | undefined;
  #inbox: Reader["inbox"] | undefined;
  #events: Reader["events"] | undefined;
  #past: Reader["past"] | undefined;
  #search: Reader["search"] | undefined;
  #marks: Marks | undefined;

  constructor(connection: Connection, unwritten?: Unwritten) {
    this.#connection = connection;
    this.#unwritten = unwritten;
  }

  get unfolded(): Reader["unfolded"] {
    return (this.#unfolded ??= unfoldedRows(this.#connection));
  }

  get projects(): Reader["projects"] {
    return (this.#projects ??= projects(this.#connection));
  }

  get issues(): Reader["issues"] {
    return (this.#issues ??= issues(this.#connection));
  }

  get links(): Reader["links"] {
    return (this.#links ??= links(this.#connection));
  }

  get labels(): Reader["labels"] {
    return (this.#labels ??= labels(this.#connection));
  }

  get comments(): Reader["comments"] {
    return (this.#comments ??= comments(this.#connection));
  }

  get leases(): Reader["leases"] {
    return (this.#leases ??= leases(this.#connection));
  }

  get holders(): Reader["holders"] {
    return (this.#holders ??= holders(this.#connection));
  }

  get recurrences(): Reader["recurrences"] {
    return (this.#recurrences ??= recurrences(this.#connection));
  }

  get cron(): Reader["cron"] {
    return (this.#cron ??= cron(this.#connection));
  }

  get runs(): Reader["runs"] {
    return (this.#runs ??= runs(this.#connection));
  }

  get inbox(): Reader["inbox"] {
    return (this.#inbox ??= inbox(this.#connection));
  }

  get events(): Reader["events"] {
    return (this.#events ??= events(this.#connection));
  }

  get past(): Reader["past"] {
    return (this.#past ??= pastEvents(this.#connection));
  }

  get search(): Reader["search"] {
    return (this.#search ??= search(this.#connection, this.#unwritten));
  }

  get #keys(): Marks {
    return (this.#marks ??= marks(this.#connection));
  }

  async findIdempotency(...asked: Parameters<Reader["findIdempotency"]>) {
    return await this.#keys.findIdempotency(...asked);
  }

  get findTake(): Reader["findTake"] {
    return this.#keys.findTake;
  }

  get idempotencyKeys(): Reader["idempotencyKeys"] {
    return this.#keys.idempotencyKeys;
  }

  get importSources(): Reader["importSources"] {
    return this.#keys.importSources;
  }

  get sharedImports(): Reader["sharedImports"] {
    return this.#keys.sharedImports;
  }

  get findImport(): Reader["findImport"] {
    return this.#keys.findImport;
  }

  get findImports(): Reader["findImports"] {
    return this.#keys.findImports;
  }
}
