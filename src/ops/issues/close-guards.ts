import type { closeIssue as contract } from "../../contract/actions.ts";
import { invalidField, SvcError } from "../../contract/errors.ts";
import type { Input } from "../../contract/route.ts";
import { type CloseReason, checkClose, type Evidence } from "../../domain/close.ts";
import { refOf } from "../../domain/links.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import type { Principal } from "../deps.ts";
import { peerOf, requirePeer } from "../find.ts";

type Body = Input<typeof contract>["body"];

/**
 * Throws if anybody but the owner of the machine names the terminal screen as the source of a close. A close from the
 * terminal screen needs no message and no evidence (docs/contract/http-api.md#42-close-reasons-messages-and-evidence).
 */
export function checkSource(who: Principal, { source }: Body): void {
  if (source !== "tui" || who.local) return;
  throw invalidField("source", "tui is accepted from the owner of the machine only");
}

interface CheckedClose {
  readonly reason: CloseReason;
  readonly message: string;
  readonly evidence: readonly Evidence[];
}

/**
 * Checks the reason, message and evidence of a close, and returns them. Throws if the contract requires more
 * (`domain/close.ts`).
 */
export async function checkedClose(
  reader: Reader,
  issue: StoredIssue,
  body: Body,
): Promise<CheckedClose> {
  const { message = "", evidence = [] } = body;
  const reason = body.reason ?? (body.source === "tui" ? "done" : undefined);
  if (reason === undefined) throw invalidField("reason", "is required");
  if (body.source !== "tui") {
    checkClose(reason, message, evidence);
    for (const { issue_ref } of evidence) {
      if (typeof issue_ref === "string") await checkOtherIssue(reader, issue, issue_ref);
    }
  }
  return { reason, message, evidence };
}

/** Throws unless the ref in the evidence names another issue of the project. */
async function checkOtherIssue(reader: Reader, issue: StoredIssue, ref: string): Promise<void> {
  try {
    const peer = await requirePeer(reader, issue.project_uid, ref, { pin: issue.project_uid });
    if (peer.uid !== issue.uid) return;
  } catch (cause) {
    if (!(cause instanceof SvcError) || cause.code !== "issue_not_found") throw cause;
    throw invalidField("evidence", `there is no issue ${ref} in this project`, undefined, cause);
  }
  throw invalidField("evidence", "an issue cannot stand for itself");
}

const NAMED_CHILDREN = 10;

/** Throws if children of the issue are open, and names the first of them. */
export async function refuseOpenChildren(tx: Tx, issue: StoredIssue): Promise<void> {
  if (issue.open_children === 0) return;
  const open = (await tx.issues.children(issue.uid)).filter(
    ({ status, project_deleted_at }) => status === "open" && project_deleted_at === null,
  );
  const children = open
    .slice(0, NAMED_CHILDREN)
    .map((child) => refOf(issue.project_uid, peerOf(child)));
  const more =
    issue.open_children > children.length
      ? ` and ${issue.open_children - children.length} more`
      : "";
  throw new SvcError(
    "parent_has_open_children",
    { children },
    { message: `has open children: ${children.join(", ")}${more}` },
  );
}
