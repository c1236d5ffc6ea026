import type { ComparedCopy, ComparedFile, LogPlace } from "../../domain/compared-logs.ts";
import { agentOutput, header, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";

export const comparisonView: View<ComparedFile> = {
  human: (body) => [sentence(body), ...sides(body), ...remarks(body)].join("\n"),
  agent: (body, quiet) => {
    const { result, same_to, from, is_exact, here, file, broken } = body;
    const rows = [
      ...(here.at === undefined ? [] : [row({ log: "here", ...here.at })]),
      ...(file.at === undefined ? [] : [row({ log: "file", ...file.at })]),
    ];
    const fields = { result, same_to, from, is_exact, broken };
    return agentOutput(header("events-compare", fields), rows, quiet);
  },
  // The answer names no issue; with --quiet, the exit code is the answer.
  refs: () => [],
};

function sentence({ result, same_to: sameTo, from, is_exact: isExact, here, file }: ComparedFile) {
  switch (result) {
    case "same":
      return `the logs are the same, up to event ${sameTo}`;
    case "file_is_beginning":
      return `the file is the beginning of this log, up to event ${file.last_id}; this log goes on with event ${from}`;
    case "here_is_beginning":
      return `this log is the beginning of the file, up to event ${here.last_id}; the file goes on with event ${from}`;
    case "different":
      return isExact === true
        ? `the logs differ from event ${from} on`
        : `the logs differ between event ${sameTo} and event ${from}: purged events hide where`;
  }
}

function sides({ here, file }: ComparedFile): readonly string[] {
  return [
    ...(here.at === undefined ? [] : [`  here:        ${placeText(here.at)}`]),
    ...(file.at === undefined ? [] : [`  in the file: ${placeText(file.at)}`]),
  ];
}

function placeText(place: LogPlace): string {
  if ("purged" in place) return `events up to ${place.id}, purged`;
  const { id, uid, type, created_at } = place;
  return oneLine(`event ${id} (${uid}), ${type}, ${created_at}`);
}

function remarks({ result, same_to, here, file, broken }: ComparedFile): readonly string[] {
  const shorter = result === "file_is_beginning" ? file : here;
  const isBeginning = result === "file_is_beginning" || result === "here_is_beginning";
  return [
    ...purgedText(here, "here", "in the file"),
    ...purgedText(file, "in the file", "here"),
    ...(isBeginning && shorter.last_id > same_to
      ? [`not compared, since the other log has purged them: what is after event ${same_to}`]
      : []),
    ...(broken === undefined ? [] : [`this log is broken: ${oneLine(broken)}`]),
  ];
}

function purgedText({ purged }: ComparedCopy, where: string, other: string): readonly string[] {
  if (purged === 0) return [];
  const [events, are] = purged === 1 ? ["event", "is"] : ["events", "are"];
  return [`purged ${where}: ${purged} ${events} that ${are} still ${other}`];
}
