import { connect } from "./connection.ts";
import type { Target } from "./other-hand.ts";

/** The number of changes in an hour: one a second, as a team with many agents makes. */
const CHANGES = 3600;
/** The number of simultaneous requests. It is so small that the daemon can answer other requests in between. */
const AT_ONCE = 4;

/** Changes one target after the other, as fast as the daemon accepts the changes. Returns the number of changes. */
export async function anHour(socketPath: string, targets: readonly Target[]): Promise<number> {
  const hands = Array.from({ length: AT_ONCE }, async (_, hand) => {
    const connection = await connect(socketPath);
    for (let at = hand; at < CHANGES; at += AT_ONCE) {
      const target = targets[at % targets.length];
      if (target === undefined) break;
      const [method, path, body] = changeOf(at, target);
      const { status, body: text } = await connection.send(method, path, JSON.stringify(body));
      if (status !== 200) throw new Error(`a change was refused: ${text}`);
    }
    connection.close();
  });
  await Promise.all(hands);
  return CHANGES;
}

/**
 * Returns the method, path and body of the request for change number `at`. Of ten changes, five change a title, two
 * change a body, two add a comment and one creates an issue.
 */
function changeOf(at: number, { project_id, uid }: Target): [string, string, object] {
  const issues = `/api/v1/projects/${project_id}/issues`;
  const actor = "other";
  const text = `what was found at ${at}: ${"word ".repeat(60)}`;
  switch (at % 10) {
    case 0:
      return [
        "POST",
        issues,
        { title: `issue ${at} of the hour`, body: text, actor, force_new: true },
      ];
    case 1:
    case 2:
      return ["POST", `${issues}/${uid}/comments`, { body: text, actor }];
    case 3:
    case 4:
      return ["PATCH", `${issues}/${uid}`, { body: text, actor }];
    default:
      return ["PATCH", `${issues}/${uid}`, { title: `title ${at} of the hour`, actor }];
  }
}
