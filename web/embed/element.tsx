import { createRoot } from "react-dom/client";
import { systemClock } from "../../src/base/clock.ts";
import type { Times } from "../../src/screen/times.ts";
import type { IssueActs } from "../parts/issue/acts.ts";
import { contentOf } from "./content.tsx";
import type { SvcIssueEventMap, SvcIssueProperties } from "./given.ts";
import { referenceOf } from "./values.ts";

const TAG = "svc-issue";
/** How often an element in a page writes its times again, such as `5m ago`. */
const TIMES_MS = 60_000;
const PROPERTIES = ["issue", "comments", "events", "peers", "health"] as const;

/**
 * Registers `<svc-issue>` with these styles. Does nothing without a DOM, or if the page has an element of this name
 * already, as from another copy of this module.
 */
export function register(css: string): void {
  if (typeof customElements === "undefined" || customElements.get(TAG) !== undefined) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  customElements.define(TAG, elementClass(sheet));
}

/** The class is made by a function, because its base is missing where there is no DOM. */
function elementClass(sheet: CSSStyleSheet): CustomElementConstructor {
  class SvcIssue extends HTMLElement implements SvcIssueProperties {
    #given: SvcIssueProperties = {};
    readonly #root: ShadowRoot;
    #draw: ((content: ReturnType<typeof contentOf>) => void) | undefined;
    #isAsked = false;
    #shown = new AbortController();

    readonly #acts: IssueActs = {
      open: (ref) => {
        const { issue } = this.#given;
        if (issue != null) this.#tell("svc-reference", referenceOf({ ...this.#given, issue }, ref));
      },
      showPerson: (name) => this.#tell("svc-person", { name }),
      showLabel: (name) => this.#tell("svc-label", { name }),
    };

    constructor() {
      super();
      this.#root = this.attachShadow({ mode: "open" });
      this.#root.adoptedStyleSheets = [sheet];
    }

    connectedCallback(): void {
      for (const name of PROPERTIES) setAgain(this, name);
      this.#shown = new AbortController();
      void this.#keepTimes(this.#shown.signal);
    }

    disconnectedCallback(): void {
      this.#shown.abort();
    }

    get issue() {
      return this.#given.issue;
    }

    set issue(issue: SvcIssueProperties["issue"]) {
      this.#give({ issue });
    }

    get comments() {
      return this.#given.comments;
    }

    set comments(comments: SvcIssueProperties["comments"]) {
      this.#give({ comments });
    }

    get events() {
      return this.#given.events;
    }

    set events(events: SvcIssueProperties["events"]) {
      this.#give({ events });
    }

    get peers() {
      return this.#given.peers;
    }

    set peers(peers: SvcIssueProperties["peers"]) {
      this.#give({ peers });
    }

    get health() {
      return this.#given.health;
    }

    set health(health: SvcIssueProperties["health"]) {
      this.#give({ health });
    }

    /** Draws once for all properties that are set in one go. */
    #give(part: SvcIssueProperties): void {
      this.#given = { ...this.#given, ...part };
      if (this.#isAsked) return;
      this.#isAsked = true;
      queueMicrotask(() => {
        this.#isAsked = false;
        if (this.isConnected) this.#drawNow();
      });
    }

    async #keepTimes(end: AbortSignal): Promise<void> {
      while (!end.aborted) {
        this.#drawNow();
        await systemClock.sleep(TIMES_MS, end);
      }
    }

    #drawNow(): void {
      this.#draw ??= drawerIn(this.#root);
      this.#draw(contentOf(this.#given, timesNow(), this.#acts));
    }

    #tell<Name extends keyof SvcIssueEventMap>(
      name: Name,
      detail: SvcIssueEventMap[Name]["detail"],
    ): void {
      this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
    }
  }
  return SvcIssue;
}

/** Returns a function that draws into the shadow root. */
function drawerIn(root: ShadowRoot): (content: ReturnType<typeof contentOf>) => void {
  const place = document.createElement("div");
  place.className = "embedded";
  root.replaceChildren(place);
  const drawing = createRoot(place);
  return (content) => drawing.render(content);
}

/** A property that was set before the element was defined hides the accessor of the class. */
function setAgain(element: SvcIssueProperties, name: (typeof PROPERTIES)[number]): void {
  if (!Object.hasOwn(element, name)) return;
  const own = { [name]: element[name] };
  delete element[name];
  Object.assign(element, own);
}

function timesNow(): Times {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return { now: systemClock.now(), preferences: { times: "ago", zone } };
}
