import { answering } from "../answering.ts";
import { htmlOf } from "../markdown/html.ts";

// Parse a text at the start, so that the engine has compiled the parser before the first text that somebody waits for.
htmlOf(
  "# Warm *up*\n\n- [ ] `all` of ~~the~~ rules: https://example.org #abc4\n\n| a |\n|--:|\n| b |",
);
answering(htmlOf);
