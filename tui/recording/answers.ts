import { withOlder } from "../../src/screen/cron/cron.ts";
import type { CronState } from "../../src/screen/cron/state.ts";
import type { Effect } from "../../src/screen/effect.ts";
import type { Message, MessageOf } from "../../src/screen/message.ts";
import { isRecordedMessage, type RecordedMessage } from "./kinds.ts";

export type Question = Extract<Effect, { readonly effect: `load-${string}` }>;

export function isQuestion(effect: Effect): effect is Question {
  return effect.effect.startsWith("load-");
}

/**
 * Keeps the latest answers of a recording, for effects that ask again. If the recording has no answer to a question,
 * `answerTo` returns a message that says so.
 */
export class Answers {
  readonly #known = new Map<string, RecordedMessage>();

  keep(message: RecordedMessage): void {
    // After a change of project, the known answers belong to the previous project.
    if (message.type === "scope") this.#known.clear();
    const topic = topicOf(message);
    if (topic === undefined) return;
    const known = this.#known.get(topic);
    this.#known.set(topic, known === undefined ? message : joined(known, message));
  }

  /**
   * Returns the last answer that was played. If no answer was played, returns a message that says so. Returns
   * `undefined` instead if `isComing` says that the recording will soon play an answer on this topic.
   */
  answerTo(question: Question, isComing: (topic: string) => boolean): Message | undefined {
    const none = missing(question);
    if (none === undefined) return undefined;
    const topic = isRecordedMessage(none) ? topicOf(none) : question.effect.replace("load-", "");
    if (topic === undefined) return none;
    const known = this.#known.get(topic);
    if (isComing(topic)) return known;
    if (question.effect !== "load-cron" || known?.type !== "cron") return known ?? none;
    const { tab, job } = question;
    const error = `the recording has no ${tab} here`;
    return hasTab(known.cron, tab, job) ? known : { ...known, cron: { ...known.cron, error } };
  }
}

type Topics = {
  readonly [Type in RecordedMessage["type"]]?: (message: MessageOf<Type>) => string;
};

const TOPICS: Topics = {
  detail: ({ uid }) => `detail ${uid}`,
  graph: ({ source }) => `graph ${source}`,
  inbox: ({ address, all }) => `inbox ${address}${all ? " and all" : ""}`,
  cron: () => "cron",
  fleet: () => "fleet",
  "job-runs": ({ job }) => `job-runs ${job}`,
  versions: ({ of }) => `versions ${of}`,
};

/**
 * Returns the topic under which an answer is kept for later questions, or `undefined` if answers of this type are not
 * kept.
 */
export function topicOf(message: RecordedMessage): string | undefined {
  // The cast is safe: each function in the table accepts the messages of the type that is its key.
  const topic = TOPICS[message.type] as ((message: RecordedMessage) => string) | undefined;
  return topic?.(message);
}

/** The message to show if the recording has no answer; `undefined` for questions that every recording answers. */
function missing(question: Question): Message | undefined {
  switch (question.effect) {
    case "load-auth":
    case "load-projects":
    case "load-issues":
    // The recording has the bridge of an issue in the messages of its detail.
    case "load-bridge":
      return undefined;
    case "load-detail": {
      const { uid } = question;
      const error = "the recording has no comments, events and links of this issue";
      return { type: "detail", uid, detail: { error } };
    }
    case "load-graph":
    case "load-chain": {
      const { source } = question;
      const error = "the recording has no graph of this issue";
      return { type: "graph", source, graph: { error } };
    }
    case "load-job-runs": {
      const { job } = question;
      const error = "the recording has no runs of this job";
      return { type: "job-runs", job, runs: undefined, error };
    }
    case "load-versions": {
      const { of, asked } = question;
      const error = "the recording has no definition of it";
      return { type: "versions", of, versions: asked.map((one) => ({ ...one, error })) };
    }
    case "load-older":
      return { type: "replay", replay: { lacks: "older rows" } };
    case "load-cron":
      return { type: "cron", cron: { error: "the recording has no jobs and runs" } };
    case "load-inbox": {
      const { addresses, all } = question;
      const [address = ""] = addresses;
      const error = `the recording has no inbox of ${addresses.join(", ")}`;
      return { type: "inbox", address, all, inbox: { error } };
    }
    case "load-fleet":
      return { type: "replay", replay: { lacks: "fleet" } };
  }
}

function hasTab(cron: Partial<CronState>, tab: CronState["tab"], job: string | undefined): boolean {
  if (tab === "ledger" || tab === "preview") return job === undefined || cron[tab]?.job.uid === job;
  return cron[tab] !== undefined;
}

function joined(known: RecordedMessage, message: RecordedMessage): RecordedMessage {
  if (known.type === "cron" && message.type === "cron") {
    const { cron, older } = message;
    const change = older === undefined ? cron : withOlder(known.cron, cron, older);
    return { type: "cron", cron: { ...known.cron, ...change } };
  }
  if (known.type === "detail" && message.type === "detail")
    return { ...message, detail: { ...known.detail, ...message.detail } };
  if (known.type === "graph" && message.type === "graph")
    return { ...message, graph: { ...known.graph, ...message.graph } };
  return message;
}
