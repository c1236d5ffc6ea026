import type { Tool } from "../../tool.ts";
import { graph } from "./graph.ts";
import { labels } from "./labels.ts";
import { list } from "./list.ts";
import { next } from "./next.ts";
import { ready } from "./ready.ts";
import { search } from "./search.ts";
import { show } from "./show.ts";

export const tools: readonly Tool[] = [search, list, show, ready, next, labels, graph];
