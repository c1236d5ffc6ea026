import { text } from "node:stream/consumers";
import { type Attempt, attempt, type Outcome } from "./start-attempt.ts";

// Makes the attempts of standard input one after the other, and prints their results.
const attempts = JSON.parse(await text(process.stdin)) as readonly Attempt[];
const outcomes: Outcome[] = [];
for (const one of attempts) outcomes.push(await attempt(one));
process.stdout.write(JSON.stringify(outcomes));
