import type { Tool } from "../../tool.ts";
import { claim } from "./claim.ts";
import { comment } from "./comment.ts";
import { create } from "./create.ts";
import { edit } from "./edit.ts";
import { editComment } from "./edit-comment.ts";
import { move } from "./move.ts";
import { setDeadline } from "./set-deadline.ts";
import { setLabel } from "./set-label.ts";
import { setMetadata } from "./set-metadata.ts";
import { setSchedule } from "./set-schedule.ts";

export const tools: readonly Tool[] = [
  create,
  edit,
  comment,
  editComment,
  claim,
  setLabel,
  setMetadata,
  setSchedule,
  setDeadline,
  move,
];
