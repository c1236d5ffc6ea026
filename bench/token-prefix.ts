/**
 * Measures whether the check of a wrong token takes longer if more characters at its start are right, because that
 * would help an attacker to guess the token. The wrong tokens start with none, half, or all but the last of the right
 * token's characters. Each is checked on new connections, and on a connection that has sent the right token before, as
 * behind a proxy with several users. The check runs in this process, because a network would hide differences of this
 * size.
 *
 *   npm run bench -- token-prefix [checks] [rounds]
 */
import { headerCheck, tokenCheck } from "../src/daemon/access/bearer-check.ts";
import { median, percentile } from "./support/figures.ts";

const CHECKS = Number(process.argv[2] ?? 20_000);
const ROUNDS = Number(process.argv[3] ?? 101);
const TOKEN = "svc_Zm9yIHRoZSBtZWFzdXJlbWVudCBvZiBwcmVmaXhlcw";

const check = headerCheck(tokenCheck("static", TOKEN, undefined), undefined);
const used = {};
if ((await check(TOKEN, used)).bearer !== "configured") throw new Error("the token is right");

const cases = [0, Math.floor(TOKEN.length / 2), TOKEN.length - 1].flatMap((right) =>
  [undefined, used].map((connection) => ({
    name: `${right} of ${TOKEN.length} right, ${connection === undefined ? "new connection" : "used connection"}`,
    // Equal but separate strings, as in the daemon, which reads every token from a socket into a new string. Using one
    // string again and again could be faster.
    texts: Array.from({ length: 100 }, () => wrongToken(right)),
    connection,
    nanoseconds: [] as number[],
  })),
);
for (let round = 0; round < ROUNDS; round += 1)
  for (const { texts, connection, nanoseconds } of round % 2 === 0 ? cases : cases.toReversed()) {
    const start = process.hrtime.bigint();
    for (let at = 0; at < CHECKS; at += 1) {
      const checked = check(texts[at % texts.length] ?? "", connection);
      if (checked instanceof Promise || checked.bearer !== "wrong") throw new Error("it is wrong");
    }
    nanoseconds.push(Number(process.hrtime.bigint() - start) / CHECKS);
  }
for (const { name, nanoseconds } of cases) {
  const [low, high] = [percentile(nanoseconds, 0.25), percentile(nanoseconds, 0.75)];
  console.log(
    `${name.padEnd(38)} ${median(nanoseconds).toFixed(0)} ns (${low.toFixed(0)} to ${high.toFixed(0)})`,
  );
}

function wrongToken(right: number): string {
  const rest = Array.from(TOKEN.slice(right), (character) => (character === "x" ? "y" : "x"));
  return Buffer.from(TOKEN.slice(0, right) + rest.join("")).toString("latin1");
}
