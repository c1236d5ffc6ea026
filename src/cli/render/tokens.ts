import type { Output } from "../../contract/route.ts";
import type { createToken, listTokens, revokeToken } from "../../contract/tokens.ts";
import { agentOutput, header, line, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { shortTime } from "./show.ts";
import { aligned } from "./table.ts";

type Created = Output<typeof createToken>;
type Token = Created["token"];

const NO_PLAINTEXT =
  "an earlier request with this key created it; its plaintext was shown then and is stored nowhere";

/** The only view that prints the plaintext of a token. */
export const createdTokenView: View<Created> = {
  human: ({ token, plaintext }, { quiet }) => {
    if (quiet) return oneLine(plaintext ?? "");
    const named = token.name === null ? "" : ` name=${oneLine(token.name)}`;
    const created = `token id=${token.id} actor=${oneLine(token.actor)}${named}`;
    return plaintext === undefined
      ? `${created}: ${NO_PLAINTEXT}`
      : `created ${created}\ntoken=${oneLine(plaintext)}`;
  },
  agent: ({ token, plaintext, reused }, quiet) => {
    const { id, actor, name } = token;
    const head = header("token_created", { id, actor, name, reused });
    return agentOutput(head, line("Token", plaintext), quiet);
  },
};

export const tokenListView: View<Output<typeof listTokens>> = {
  human: ({ tokens }, { quiet }) => {
    if (quiet) return tokens.map(({ id }) => id).join("\n");
    if (tokens.length === 0) return "No tokens. svc tokens create --actor <actor> makes one.";
    return aligned([HEADINGS, ...tokens.map(cells)], (column) => column === 0)
      .map((text) => text.trimEnd())
      .join("\n");
  },
  agent: ({ tokens }, quiet) => {
    const rows = tokens.map(({ id, actor, name, created_at, last_used_at, revoked_at }) =>
      row({ id, actor, name, created: created_at, used: last_used_at, revoked: revoked_at }),
    );
    return agentOutput(header("tokens", { count: tokens.length }), rows, quiet);
  },
};

const HEADINGS = ["ID", "ACTOR", "NAME", "CREATED", "LAST USED", "REVOKED"];

function cells({ id, actor, name, created_at, last_used_at, revoked_at }: Token) {
  const time = (instant: string | null) => (instant === null ? "-" : shortTime(instant));
  return [
    String(id),
    oneLine(actor),
    oneLine(name ?? "-"),
    ...[created_at, last_used_at, revoked_at].map(time),
  ];
}

export const revokedTokenView: View<Output<typeof revokeToken>> = {
  human: ({ token, event, enrollments }, { quiet }) => {
    if (quiet) return "";
    const named = `token ${token.id} of ${oneLine(token.actor)}`;
    const done =
      event === null
        ? `${named} was revoked before, at ${token.revoked_at ?? ""}`
        : `revoked ${named}`;
    return [done, ...leftEnrollments(enrollments)].join("\n");
  },
  agent: ({ token: { id, actor, name, revoked_at }, event, enrollments }, quiet) =>
    agentOutput(
      header("token_revoked", { id, actor, name, revoked: revoked_at, changed: event !== null }),
      leftEnrollments(enrollments).flatMap((text) => line("Left", text)),
      quiet,
    ),
};

function leftEnrollments(ids: readonly number[] = []): readonly string[] {
  if (ids.length === 0) return [];
  return [
    `federation enrollments that were made with it stay: ${ids.join(", ")} (svc federation revoke <id>)`,
  ];
}
