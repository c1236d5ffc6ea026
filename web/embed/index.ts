import { register } from "./element.tsx";
import type { SvcIssueEventMap, SvcIssueProperties } from "./given.ts";

export type * from "./answers.ts";
export type { SvcIssueEventMap, SvcIssueProperties, SvcName, SvcReference } from "./given.ts";
export { OLDEST_API_SCHEMA, supportsApiSchema } from "./version.ts";

/**
 * The element `<svc-issue>`, which shows the detail of one issue (docs/embedding.md). Importing this module registers
 * it. It sends no request and stores nothing.
 */
export interface SvcIssueElement extends HTMLElement, SvcIssueProperties {
  addEventListener<Name extends keyof SvcIssueEventMap>(
    type: Name,
    listener: (this: SvcIssueElement, event: SvcIssueEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<Name extends keyof HTMLElementEventMap>(
    type: Name,
    listener: (this: SvcIssueElement, event: HTMLElementEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<Name extends keyof SvcIssueEventMap>(
    type: Name,
    listener: (this: SvcIssueElement, event: SvcIssueEventMap[Name]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener<Name extends keyof HTMLElementEventMap>(
    type: Name,
    listener: (this: SvcIssueElement, event: HTMLElementEventMap[Name]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "svc-issue": SvcIssueElement;
  }
}

register(ELEMENT_CSS);
