import { isPlainObject, type JsonValue } from "../../base/json.ts";
import type { OutgoingAnswer } from "../../outgoing/exchange.ts";
import type { OutgoingFault, OutgoingFaultKind } from "../../outgoing/fault.ts";
import type { Redact } from "../../outgoing/redact.ts";
import { ProviderFault, type ProviderFaultKind } from "../provider.ts";
import { isRateLimited } from "./pause.ts";

type Words = readonly [kind: ProviderFaultKind, hint: string];

const LATER = "nothing has to be done: the next run tries again";
const NETWORK =
  "check that this machine reaches the host: its name, its proxy and its certificate (NODE_EXTRA_CA_CERTS in the daemon's environment names a certificate of your own)";

const OUTGOING_WORDS: Readonly<Record<OutgoingFaultKind, Words>> = {
  unsent: ["provider_http", NETWORK],
  lost: ["provider_http", LATER],
  timeout: ["provider_http", LATER],
  too_large: ["provider_decode", "tell the administrators of the host: its answer is too large"],
  unreadable: ["provider_decode", NETWORK],
  elsewhere: ["provider_http", "if the repository was moved, enable the sync by its present name"],
  wait_too_long: ["rate_limited", `${LATER}; a longer interval sends fewer requests`],
  stopped: ["interrupted", LATER],
};

/** The fault of a run for a request that has no answer. */
export function faultOfOutgoing(fault: OutgoingFault): ProviderFault {
  const [kind, hint] = OUTGOING_WORDS[fault.kind];
  return new ProviderFault(kind, fault.message, hint, fault);
}

export type Subject = "repository" | "page" | "installation";

const RENEW: Readonly<Record<Subject, string>> = {
  repository: "renew the credential of the daemon for this host, such as by gh auth login",
  page: "give the credential the right to read metadata and issues of the repository",
  installation: "check app_id, installation_id and private_key_path of [[provider_sync.app]]",
};

/** The fault of a run for an answer that is an error. */
export function faultOfAnswer(
  answer: OutgoingAnswer,
  what: Subject,
  redact: Redact,
): ProviderFault {
  const { status } = answer;
  const [kind, hint] = wordsOf(answer, what);
  return new ProviderFault(kind, `the host answered ${status}${messageText(answer, redact)}`, hint);
}

function wordsOf(answer: OutgoingAnswer, what: Subject): Words {
  const { status } = answer;
  if (isRateLimited(answer)) return OUTGOING_WORDS.wait_too_long;
  if (status === 401 || (what === "installation" && status < 500))
    return ["credentials", RENEW[what === "installation" ? what : "repository"]];
  if (status >= 500) return ["provider_http", LATER];
  if (what === "repository" || status === 403)
    return [
      "repository_unavailable",
      "check the name of the repository, and that the credential may read it: metadata and issues",
    ];
  return ["provider_http", RENEW.page];
}

const MOST_SAID = 300;

/** What the host says in its answer: one line, cut, and without anything that looks like a secret. */
function messageText({ body }: OutgoingAnswer, redact: Redact): string {
  const message = messageIn(body);
  if (message === undefined) return "";
  const line = redact(message)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, " ")
    .trim();
  return line === "" ? "" : `: ${[...line].slice(0, MOST_SAID).join("")}`;
}

function messageIn(body: Buffer): string | undefined {
  try {
    const value = JSON.parse(body.toString("utf8")) as JsonValue;
    const message = isPlainObject(value) ? value["message"] : undefined;
    return typeof message === "string" ? message : undefined;
  } catch {
    return undefined;
  }
}

export function undecodable(what: string): ProviderFault {
  return new ProviderFault(
    "provider_decode",
    `the host gave ${what}`,
    "check that the host is one of GitHub, and that no proxy answers in its place",
  );
}
