import { age } from "../../base/age.ts";
import { instantToMs } from "../../base/clock.ts";
import type { listHolders } from "../../contract/holders.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, header, row } from "../../shared/agent.ts";
import { describeKind } from "../../shared/event-text.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { timeLeft } from "./leases.ts";
import { aligned } from "./table.ts";
import { cut, padEnd, widthOf } from "./width.ts";

type Holders = Output<typeof listHolders>;
type Holder = Holders["holders"][number];

const HEADINGS = ["holder", "silent", "lease", "since", "did last"];
const isTime = (column: number): boolean => column >= 1 && column <= 3;
const LEAST_TITLE = 16;

/** `qualified` is true if the issues belong to several projects. Each id is then shown with its project. */
export function holdersView(qualified: boolean): View<Holders> {
  const idOf = ({ ref }: Holder): string =>
    oneLine(qualified ? ref : ref.slice(ref.indexOf("#") + 1));
  return {
    human: ({ holders, now }, { paint, columns }) => {
      if (holders.length === 0) return "Nobody leases an issue or owns an open one.";
      const width = Math.max("issue".length, ...holders.map((entry) => widthOf(idOf(entry))));
      const [head = "", ...rows] = aligned(
        [HEADINGS, ...holders.map((entry) => cellsOf(entry, now))],
        isTime,
      );
      const room =
        columns === undefined
          ? Infinity
          : Math.max(LEAST_TITLE, columns - widthOf(head) - width - 4);
      return [
        paint("faint", `${head}  ${padEnd("issue", width)}  title`),
        ...holders.map((entry, at) => {
          const id = idOf(entry);
          const title = cut(titleOf(entry), room);
          return `${rows[at]}  ${paint("id", id)}${padEnd("", width - widthOf(id))}  ${title}`;
        }),
      ].join("\n");
    },
    agent: ({ holders, truncated, now }, quiet) => {
      const rows = holders.map((entry) => {
        const { holder, lease, since, last_event, owner, status, title } = entry;
        const { fence, expires_at } = lease ?? {};
        const { created_at: last_at, type: last } = last_event ?? {};
        const leased = lease !== undefined;
        const fields = { leased, fence, expires_at, since, last_at, last, owner, status, title };
        return row({ holder, issue: idOf(entry), ...fields });
      });
      return agentOutput(header("holders", { count: rows.length, truncated, now }), rows, quiet);
    },
    refs: ({ holders }) => holders.map(idOf),
  };
}

function titleOf({ title, status }: Holder): string {
  return `${status === "closed" ? "(closed) " : ""}${oneLine(title)}`;
}

function cellsOf(
  { holder, since, lease, last_event: last }: Holder,
  now: string,
): readonly string[] {
  const ago = (instant: string): string => age(instantToMs(instant), instantToMs(now));
  return [
    oneLine(holder),
    last === undefined ? "never" : ago(last.created_at),
    leaseLeft(lease, now),
    since === undefined ? "" : ago(since),
    last === undefined ? "" : oneLine(describeKind(last.type)),
  ];
}

/** The time that is left of a lease. A lease that does not expire is `held` until somebody releases it. */
function leaseLeft(lease: Holder["lease"], now: string): string {
  if (lease === undefined) return "-";
  if (lease.expires_at === undefined) return "held";
  return lease.expires_at <= now ? "expired" : timeLeft(lease.expires_at, now);
}
