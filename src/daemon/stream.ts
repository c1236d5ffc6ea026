import type { Handler } from "./app.ts";
