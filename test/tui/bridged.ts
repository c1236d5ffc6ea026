import { bridgeChoices } from "../../src/screen/detail/bridge-choices.ts";
import type { Bridge, DetailPart, IssueEvent } from "../../src/screen/detail/state.ts";
import { issue, NOW, type Session, screen } from "./support.ts";

export const ROOT = { connector_instance: "tickets", enabled: true };

/** An issue whose title and text a record of `tickets` owns. */
export const BOUND = issue(1, {
  ...{ title: "Ship it", body: "All of it.", external_root: ROOT },
  metadata: { deadline_on: "2026-12-01" },
});

export const CONFLICT: Bridge["field_conflicts"][number] = {
  field: "deadline_on",
  local_candidate: { kind: "date", value: "2026-12-01" },
  external_candidate: {
    ...{ kind: "local_datetime", value: "2026-12-03T10:00:00", timezone: "Europe/Berlin" },
  },
  conflict_at: "2026-11-21T08:00:00.000Z",
};

export function bridge(more: Partial<Bridge> = {}): Bridge {
  return {
    ...{ id: 1, uid: "01JB", project_id: 1, issue_id: 1, connector_instance: "tickets" },
    ...{ active: true, enabled: true, receive_comments: true, publish_comments: true },
    ...{ complete_external: true, consecutive_failures: 0, field_conflicts: [] },
    ...{ last_external_state: "open", last_success_at: "2026-11-21T09:00:00.000Z" },
    ...more,
  };
}

export const event = (number: number, type: string, payload: object): IssueEvent =>
  ({
    event_id: number,
    event_uid: `01JEVENT${number}`,
    type,
    actor: "ana",
    payload,
    created_at: "2026-11-21T09:00:00.000Z",
  }) as unknown as IssueEvent;

/** What is read of the issue first. */
export function read(external_root: typeof ROOT | undefined): DetailPart {
  const { parent: _parent, ...known } = BOUND;
  return {
    show: {
      issue: {
        ...{ ...known, id: 1, labels: [], deleted_at: undefined, recurrence_uid: undefined },
        external_root,
      },
      comments: [
        {
          ...{ id: 1, uid: "01JC1", issue_id: 1, author: "ana", body: "is it fixed?" },
          created_at: NOW,
        },
      ],
      ...{ links: [], labels: [], children: [] },
    },
    error: undefined,
  };
}

/** A screen with the bound issue open, of whose detail these parts were read too. */
export function bridged(
  columns: number,
  rows: number,
  part: DetailPart,
  root: typeof ROOT = ROOT,
): Session {
  const session = screen(columns, rows, [{ ...BOUND, external_root: root }]);
  session.keys(...(columns < 120 ? ["enter"] : ["L", "enter", "L"]));
  const choices = part.bridge && { bridgeChoices: bridgeChoices(part.bridge) };
  session.tell({ type: "detail", uid: BOUND.uid, detail: { ...read(root), ...part, ...choices } });
  return session;
}

/** The same with a bridge that waits for every kind of answer. */
export const ASKED = (columns = 80, rows = 24): Session =>
  bridged(columns, rows, {
    bridge: bridge({ field_conflicts: [CONFLICT], pending_comment_uid: "01JC1" }),
  });
