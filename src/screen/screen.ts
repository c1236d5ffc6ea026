import type { CommandHandler, CommandHandlers } from "./command.ts";
import type { Effect } from "./effect.ts";
import type { Empty, EmptyAct } from "./empty-text.ts";
import type { FormRecords } from "./form.ts";
import type { Dialog, FormKinds, PromptKinds } from "./forms/dialog.ts";
import type {
  Command,
  CommandIn,
  KeyScope,
  KeyTables,
  ScopeHelp,
  ScopeList,
  SharedCommand,
} from "./keys.ts";
import type { LiveEvent, MessageOf, ScreenTargets, Target, TargetOf } from "./message.ts";
import type { Entry } from "./palette/entry.ts";
import type { AddressFields, Place, ScreenPlaces } from "./place/place.ts";
import type { PromptRecords } from "./prompt.ts";
import type { ScreenReducer } from "./reducer.ts";
import type { SignTable } from "./signs.ts";
import type { Start } from "./start.ts";
import type { Screen, ScreenStates, State } from "./state.ts";
import type { Step } from "./step.ts";
import type { AcceptedWrite } from "./writes/changes.ts";
import type { SentWrite } from "./writes/done.ts";

/**
 * What the shared code needs to know about a screen: its cursor, empty texts, reads, writes in flight and keys. The
 * shared code uses this record and imports no screen. Each screen has one record, in `<screen>/<screen>-screen.ts`.
 * `screens.ts` lists all records, and the state contains this list.
 */
export interface ScreenRecord<Name extends Screen = Screen> {
  readonly name: Name;
  /** The screen's entry in the state when the program starts. */
  initial(start: Start): ScreenStates[Name];
  /** Whether the program begins with this screen instead of the board. */
  readonly isFirst?: (start: Start) => boolean;
  /** The data that stays when the person changes to another daemon. `actor` is the person's name on that daemon. */
  readonly carriedOver?: (state: State, actor: string) => Partial<Start>;

  // Keys and commands

  /** The screen's own keys. The keys that all screens have are in the shared table. */
  readonly keys: KeyTables[Name];
  /** The help texts for the scopes of the screen's own keys. */
  readonly help: Readonly<Partial<Record<KeyScope, ScopeHelp>>>;
  /** The signs that its rows show. */
  readonly signs: SignTable;
  /** The command that shows the screen and reads what it needs. */
  readonly shownBy: Command;
  /** The command for a click on the row under the cursor. */
  readonly opensBy: Command;
  /** The handlers of the screen's own commands. */
  readonly commands: CommandHandlers & HandlersOf<KeyTables[Name]>;
  /** The lists of scopes in which a key is looked up while no issue is open, the nearest scope first. */
  readonly scopes: readonly [ScopeList, ...ScopeList[]];
  /** Returns the list that is in use now. Without it, the first list is always in use. */
  readonly scopesNow?: (state: State) => ScopeList;
  /** Opens the prompt for the filter of this screen. Without it, the filter of the board is used. */
  readonly filter?: (state: State) => Step;
  /** The entries that only the palette has. */
  readonly entries?: readonly Entry[];
  /** The prompts that only this screen opens. */
  readonly prompts: PromptsOf<Name>;
  /** The forms that only this screen opens. */
  readonly forms: FormsOf<Name>;
  /**
   * Handles a key in a dialog of this screen. Returns `undefined` if the dialog belongs to another screen or the key
   * has its usual meaning.
   */
  readonly dialogKey?: (state: State, dialog: Dialog, key: string) => Step | undefined;
  /** Handles the clicks on the parts that only this screen has. */
  readonly targets: TargetHandlers<Name>;
  /** Handles the scroll wheel, if it does more than move the cursor. */
  readonly scrolled?: (state: State, target: Target | undefined, by: number) => Step;

  // Rows and cursor

  readonly rows: Rows;
  /** The uid of the issue under the cursor. */
  issueUnderCursor(state: State): string | undefined;
  /** The uid of the issue whose detail is shown beside the list. */
  readonly issueBeside?: (state: State) => string | undefined;
  /** Whether panes for views and for the issue may be beside the list. */
  readonly hasPanes?: true;
  /** Whether issues can be marked here, so that commands act on all marked issues. */
  readonly hasMarks?: true;
  /** Applies a change of the issues and keeps the cursor on its row. `isPage` is true while the list is being read. */
  readonly keepingCursor?: (
    state: State,
    change: (state: State) => State,
    isPage: boolean,
  ) => State;

  // Texts of a list without rows

  /** Whether the rows belong to the chosen project. If this project is missing, there are no rows. */
  readonly isOfProject?: true;
  /** What is shown in place of rows; `undefined` if there are rows. */
  empty(state: State): Empty | undefined;
  /** The buttons of the browser page below the text of `empty`. */
  emptyActs(state: State): readonly EmptyAct[];

  // Reading

  /** Handles the messages that only this screen has, such as the answers to its reads. */
  readonly reducer: ScreenReducer<Name>;
  /** The reads that update everything that this screen shows, except the issues. */
  reads(state: State): readonly Effect[];
  /** The reads that events of the daemon make necessary. */
  readsAfterEvents(state: State, events: readonly LiveEvent[]): readonly Effect[];
  /** Applies the changes that the events themselves contain, so that no read is needed for them. */
  readonly withEvents?: (state: State, events: readonly LiveEvent[]) => State;
  /** Called when time has passed, if something on the screen depends on the time. */
  readonly onTick?: (state: State) => Step;
  /** Names of people that the screen has read. Some of these people may occur in no issue. */
  readonly people?: (state: State) => readonly string[];
  /** The version of something that the screen shows and that is not an issue, such as a job, by its uid. */
  readonly versionOf?: (state: State, uid: string) => string | number | undefined;
  /** Removes the data of the project that was shown before. */
  readonly withoutProject?: (state: State) => State;

  // Writes

  /** Applies the changes that the answer to an accepted write contains. */
  readonly withAnswer?: (state: State, answer: MessageOf<"written">) => State;
  /**
   * Called when all writes of a batch are answered. `made` is the last accepted write. The screen reads again what the
   * write has changed.
   */
  readonly afterWrites?: (state: State, made: AcceptedWrite) => Step;
  /** The reads after refused writes, if a refusal shows that the data on the screen is out of date. */
  readonly readsAfterRefusal?: (state: State, failed: readonly SentWrite[]) => readonly Effect[];
  /** Shows a dialog about a refused write instead of only the reason. */
  readonly conflict?: (state: State, done: SentWrite) => Step | undefined;

  // Navigation

  /** What `back` does on this screen; `undefined` if it leads to the board. */
  readonly back?: (state: State) => Step | undefined;
  /** Why `back` does nothing here. */
  readonly whyNoBack?: (state: State) => string | undefined;
  /** How an address of the browser page describes this screen. */
  readonly address: AddressOf<Name>;
}

/** A handler for each command of a key table, except the commands that all screens share. */
type HandlersOf<Table> = Table extends unknown
  ? Readonly<Record<Exclude<CommandIn<Table>, SharedCommand>, CommandHandler>>
  : never;

/** The records of all prompts that a screen adds; `undefined` for a screen without prompts of its own. */
type PromptsOf<Name> = Name extends keyof PromptKinds
  ? PromptRecords<PromptKinds[Name]>
  : undefined;

/** The records of all forms that a screen adds; `undefined` for a screen without forms of its own. */
type FormsOf<Name> = Name extends keyof FormKinds ? FormRecords<Name> : undefined;

/** A handler for each target that a screen adds; `undefined` for a screen without targets of its own. */
export type TargetHandlers<Name> = Name extends keyof ScreenTargets
  ? {
      readonly [Is in keyof ScreenTargets[Name]]: (
        state: State,
        target: TargetOf<Is & Target["is"]>,
        isSecond: boolean,
      ) => Step;
    }
  : undefined;

/** How an address describes the screen; `undefined` for a screen that adds no field to a place. */
type AddressOf<Name> = Name extends keyof ScreenPlaces ? ScreenAddress<Name> : undefined;

declare module "./state.ts" {
  interface State {
    /** The records of all screens, in the order of the screens' number keys. */
    readonly screens: readonly ScreenRecord[];
  }
}

export interface Rows {
  count(state: State): number;
  /** The uid of each row's issue; `undefined` for a row without an issue. */
  issues(state: State): readonly (string | undefined)[];
  /** The uids of issues that are shown although they may be on no page of the list of issues. */
  readonly offPage?: (state: State) => readonly string[];
  /** Whether a row shows the issue. Set only if rows can show issues that are not in `issues`, such as context rows. */
  readonly shows?: (state: State, uid: string) => boolean;
  /** Whether the screen has read all rows that it reads without a request by the person. */
  isRead(state: State): boolean;
  /** The index of the cursor's row; -1 without a cursor. */
  cursor(state: State): number;
  /** Puts the cursor on a row of the list. */
  withCursor(state: State, at: number): State;
  /**
   * Moves the cursor by `by` rows, for the keys and the wheel. Without this function, the cursor stops at both ends of
   * the list.
   */
  readonly move?: (state: State, by: number) => Step;
  /** Handles a click on a row, if it does more than move the cursor there. */
  readonly clicked?: (state: State, at: number) => Step;
  /** False while the keys that move by lines do not move the cursor of this list. */
  readonly isInUse?: (state: State) => boolean;
}

interface ScreenAddress<Name extends keyof ScreenPlaces> {
  /** The fields that this screen adds to a place. */
  readonly fields: AddressFields<Name>;
  /** The uid of the issue under the cursor when the screen is opened. The place does not name this issue. */
  readonly firstIssue?: (state: State) => string | undefined;
  /** Returns the values of these fields. A field that is left out has its default value. */
  of(state: State): Partial<ScreenPlaces[Name]>;
  /** Shows the screen as the place describes it. Returns `undefined` if the command `shownBy` is to show the screen. */
  readonly show?: (state: State, place: Place) => Step | undefined;
  /** Changes what differs from the place. Called for all screens, after the place's screen is shown. */
  readonly follow?: (state: State, place: Place) => Step;
}

export function recordOf({ screens }: Pick<State, "screens">, name: Screen): ScreenRecord {
  const found = screens.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no screen is called ${name}`);
  return found;
}

/** The version of something that is not an issue, such as a job, as far as a screen knows it. */
export function versionOf(state: State, uid: string): string | number | undefined {
  const known = state.screens.map((screen) => screen.versionOf?.(state, uid));
  return known.find((version) => version !== undefined);
}

/** The record of the screen that is shown. */
export function screenOf(state: State): ScreenRecord {
  return recordOf(state, state.screen);
}

type WithCursor = {
  [Name in Screen]: Exclude<ScreenStates[Name], undefined> extends { readonly cursor: number }
    ? Name
    : never;
}[Screen];

/** The cursor of a screen whose entry in the state has the index of the cursor's row. */
export function cursorIn<Name extends WithCursor>(name: Name): Pick<Rows, "cursor" | "withCursor"> {
  return {
    cursor: (state) => indexIn(state[name]),
    withCursor: (state, cursor) => ({ ...state, [name]: { ...state[name], cursor } }),
  };
}

function indexIn(entry: { readonly cursor: number } | undefined): number {
  return entry?.cursor ?? 0;
}
