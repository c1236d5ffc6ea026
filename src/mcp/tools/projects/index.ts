import type { Tool } from "../../tool.ts";
import { projectCreate } from "./project-create.ts";
import { projectMerge } from "./project-merge.ts";
import { projectPurge } from "./project-purge.ts";
import { projectRemove } from "./project-remove.ts";
import { projectRestore } from "./project-restore.ts";
import { projectUpdate } from "./project-update.ts";
import { projects } from "./projects.ts";

export const tools: readonly Tool[] = [
  projects,
  projectCreate,
  projectUpdate,
  projectMerge,
  projectRemove,
  projectRestore,
  projectPurge,
];
