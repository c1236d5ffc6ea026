import * as addresses from "./address-kinds.ts";
import type { Kind } from "./kinds.ts";
import * as kinds from "./kinds.ts";
import * as providerSync from "./provider-sync.ts";

/**
 * A setting (facts cli-and-config 3.1, 3.2). A flag wins over the environment, the environment over the file, and the
 * file over the default.
 */
export interface Row<T> {
  /** The key in config.toml; missing if the file cannot set it. */
  readonly key?: string;
  /** The name of the setting in the `flags` of `loadConfig`; missing if no flag sets it. */
  readonly flag?: string;
  /** Environment variables; the first that is not empty is used. */
  readonly env?: readonly string[];
  readonly kind: Kind<NonNullable<T>>;
  readonly default: T;
  readonly help: string;
  /** Never shown or logged. */
  readonly secret?: true;
  /** An invalid value causes only a warning, and the default applies. */
  readonly lenient?: true;
  /**
   * Whether the setting counts only in a config.toml that no other user can change (docs/configuration.md, "Files that
   * other users could change"). This holds for settings that name a program, a server or a token, or that decide who
   * has access.
   * - `command`: a command ignores the setting if another user can change the file.
   * - `daemon`: a daemon does not start then, because it would let in other people than its owner wanted, or serve
   *   other data.
   */
  readonly guarded?: "command" | "daemon";
}

function row<T>(spec: Row<T>): Row<T> {
  return spec;
}

function optional<T>(spec: Omit<Row<T>, "default">): Row<T | undefined> {
  return { ...spec, kind: spec.kind as Kind<NonNullable<T>>, default: undefined };
}

function themeColour(role: string, what: string): Row<number | undefined> {
  return optional({
    key: `tui.theme.${role}`,
    kind: kinds.colour,
    lenient: true,
    help: `colour of ${what} on the terminal screen, unless it is drawn without colours`,
  });
}

const MIN_IDLE_MS = 10_000;
const MIN_BACKUP_MS = 60_000;
const MIN_SILENCE_MS = 60_000;

export const SETTINGS = {
  timezone: row({
    key: "timezone",
    kind: kinds.zone,
    default: "UTC",
    help: "zone of planning dates that name none",
  }),
  listen: optional({
    key: "listen",
    flag: "listen",
    kind: addresses.listenAddresses,
    guarded: "daemon",
    help: "where the daemon listens, instead of its own Unix socket; beside it if no address is of this machine alone",
  }),
  tlsCertificate: optional({
    key: "tls.cert",
    kind: kinds.text,
    guarded: "daemon",
    help: "PEM file of the certificate with which TCP listeners speak HTTPS, followed by those that signed it; needs tls.key",
  }),
  tlsKey: optional({
    key: "tls.key",
    kind: kinds.text,
    guarded: "daemon",
    help: "PEM file of the private key of tls.cert",
  }),
  port: optional({
    env: ["PORT"],
    kind: kinds.port,
    lenient: true,
    help: "port of a hosted daemon that is started in the foreground without a listener",
  }),
  autostartIdleTimeout: optional({
    key: "autostart_idle_timeout",
    env: ["SVC_AUTOSTART_IDLE_TIMEOUT"],
    kind: kinds.atLeast(MIN_IDLE_MS, "a duration of at least 10s"),
    help: "how long a daemon that a command started stays without clients",
  }),
  activeDaemon: optional({
    key: "active_daemon",
    kind: kinds.text,
    guarded: "command",
    help: "the [[daemon]] entry that commands use",
  }),
  authToken: optional({
    key: "auth.token",
    env: ["SVC_AUTH_TOKEN"],
    kind: kinds.text,
    secret: true,
    guarded: "daemon",
    help: "bearer token of the daemon",
  }),
  requireTokenIdentity: row({
    key: "auth.require_token_identity",
    kind: kinds.flag,
    default: false,
    guarded: "daemon",
    help: "writes need a token of a person (svc tokens create); auth.token reads and administers tokens",
  }),
  allowUnauthenticatedPrivateNetworkWrites: row({
    key: "auth.allow_unauthenticated_private_network_writes",
    env: ["SVC_ALLOW_UNAUTHENTICATED_PRIVATE_NETWORK_WRITES"],
    kind: kinds.flag,
    default: false,
    guarded: "daemon",
    help: "everybody who reaches the private address of listen writes without a token, as any actor",
  }),
  insecureReadonly: row({
    flag: "insecure-readonly",
    kind: kinds.flag,
    default: false,
    help: "everybody who reaches the daemon reads without a token, and nobody writes or follows events, unless auth.token is set",
  }),
  allowIdentityConnectorAdministration: row({
    key: "auth.allow_identity_connector_administration",
    env: ["SVC_ALLOW_IDENTITY_CONNECTOR_ADMINISTRATION"],
    kind: kinds.flag,
    default: false,
    guarded: "daemon",
    help: "tokens of persons may administer connectors; this version has none",
  }),
  trustedActorHeader: row({
    key: "auth.proxy.trusted_actor_header",
    env: ["SVC_TRUSTED_ACTOR_HEADER"],
    kind: addresses.headerName,
    default: "",
    guarded: "daemon",
    help: "header in which a proxy names whom writes are attributed to; needs auth.proxy.trusted_proxy_listeners",
  }),
  trustedProxyListeners: row<readonly string[]>({
    key: "auth.proxy.trusted_proxy_listeners",
    env: ["SVC_TRUSTED_PROXY_LISTENERS"],
    kind: addresses.trustedListeners,
    default: [],
    guarded: "daemon",
    help: "the addresses of listen that only that proxy can reach",
  }),
  trustedProxyUser: optional({
    key: "auth.proxy.proxy_user",
    env: ["SVC_TRUSTED_PROXY_USER"],
    kind: kinds.text,
    help: "the user of this machine, by name or number, whom that proxy runs as; on Linux a TCP address in auth.proxy.trusted_proxy_listeners answers nobody else",
  }),
  webListen: row({
    key: "web.listen",
    kind: addresses.pagesAddress,
    default: "127.0.0.1:0",
    guarded: "daemon",
    help: "where the daemon serves its pages, off for nowhere; by default it needs no such address where listen has one of TCP",
  }),
  webPublicOrigin: optional({
    key: "web.public_origin",
    kind: addresses.origin,
    guarded: "daemon",
    help: "the origin under which a reverse proxy shows the daemon; TCP listeners then answer its host too",
  }),
  webAllowedHosts: row<readonly string[]>({
    key: "web.allowed_hosts",
    env: ["SVC_WEB_ALLOWED_HOSTS"],
    kind: addresses.hosts,
    default: [],
    guarded: "daemon",
    help: "further values of the Host header that TCP listeners answer, such as the name of the machine",
  }),
  trustPrivateNetwork: row({
    key: "auth.trust_private_network",
    env: ["SVC_TRUST_PRIVATE_NETWORK"],
    kind: kinds.flag,
    default: false,
    guarded: "daemon",
    help: "allow plain http on a private network, in which everybody may read along: to daemons there, and with a token on a listener there",
  }),
  dsn: optional({
    key: "storage.dsn",
    env: ["SVC_DSN", "SVC_DB"],
    kind: kinds.text,
    secret: true,
    guarded: "daemon",
    help: "the database: a path, sqlite://path, postgres://… or host=…; the default is svc.db in the home folder",
  }),
  postgresSchema: row({
    key: "storage.postgres.schema",
    env: ["SVC_POSTGRES_SCHEMA"],
    kind: kinds.text,
    default: "svc",
    help: "PostgreSQL schema that holds the tables",
  }),
  postgresMode: row<"bootstrap" | "validate">({
    key: "storage.postgres.mode",
    env: ["SVC_POSTGRES_SCHEMA_MODE"],
    kind: kinds.oneOf("bootstrap", "validate"),
    default: "bootstrap",
    help: "bootstrap: the daemon makes and upgrades its tables; validate: it makes none, and starts only where they are as it needs them",
  }),
  postgresAllowInsecure: row({
    key: "storage.postgres.allow_insecure",
    env: ["SVC_POSTGRES_ALLOW_INSECURE"],
    kind: kinds.flag,
    default: false,
    guarded: "daemon",
    help: "allow a PostgreSQL server on another machine without verified TLS",
  }),
  closeThrottle: row({
    key: "close.throttle.enabled",
    kind: kinds.flag,
    default: false,
    help: "refuse bursts of closes by one actor below one parent",
  }),
  closeThrottleWindowMs: row({
    key: "close.throttle.window",
    kind: kinds.duration,
    default: 60_000,
    help: "length of the window that such a burst is counted in",
  }),
  closeThrottleLimit: row({
    key: "close.throttle.limit",
    kind: kinds.count,
    default: 3,
    help: "how many of these closes are let through in the window",
  }),
  backupInterval: optional({
    key: "backup.interval",
    kind: kinds.atLeast(MIN_BACKUP_MS, "a duration of at least 1m"),
    help: "how often the daemon backs its database up; unless it is set, it does not",
  }),
  backupVerifyInterval: optional({
    key: "backup.verify_interval",
    kind: kinds.atLeast(MIN_BACKUP_MS, "a duration of at least 1m"),
    help: "how often the daemon restores the newest backup into a scratch database, to see that it can be restored; unless it is set, it does not",
  }),
  backupDirectory: optional({
    key: "backup.directory",
    kind: kinds.text,
    help: "the folder of backups; the default is backups in the home folder",
  }),
  backupKeep: row({
    key: "backup.keep",
    kind: kinds.count,
    default: 7,
    help: "how many of the daemon's backups of a database stay in that folder",
  }),
  providerSyncApps: row<readonly providerSync.ProviderSyncApp[]>({
    key: "provider_sync.app",
    kind: providerSync.apps,
    default: [],
    guarded: "daemon",
    help: "apps by which the daemon reads the issues of their owner's repositories; they need to read metadata and issues, and nothing else",
  }),
  providerSyncTokenEnv: row({
    key: "provider_sync.token_env",
    kind: providerSync.variable,
    default: "SVC_PROVIDER_TOKEN",
    guarded: "daemon",
    help: "the variable in the daemon's environment that holds a token for provider_sync.token_host",
  }),
  providerSyncTokenHost: row({
    key: "provider_sync.token_host",
    kind: providerSync.host,
    default: "github.com",
    guarded: "daemon",
    help: "the only host that gets this token",
  }),
  providerSyncAllowedHosts: row<readonly string[]>({
    key: "provider_sync.allowed_hosts",
    env: ["SVC_PROVIDER_SYNC_ALLOWED_HOSTS"],
    kind: providerSync.hosts,
    default: [],
    guarded: "daemon",
    help: "further hosts that issues are read from, beside github.com",
  }),
  providerSyncRepositories: row<readonly string[]>({
    key: "provider_sync.repositories",
    kind: providerSync.repositories,
    default: [],
    guarded: "daemon",
    help: "repositories whose sync those may enable who have a token of their own or come through a proxy; the daemon's owner may enable any",
  }),
  tuiMouse: row({
    key: "tui.mouse",
    kind: kinds.flag,
    default: false,
    lenient: true,
    help: "use the mouse in the terminal screen",
  }),
  tuiConfirmQuit: row({
    key: "tui.confirm_quit",
    kind: kinds.flag,
    default: false,
    lenient: true,
    help: "always ask before the terminal screen is left, not only when something would be lost",
  }),
  tuiGlyphs: row<"ascii" | "unicode">({
    key: "tui.glyphs",
    kind: kinds.oneOf("ascii", "unicode"),
    default: "ascii",
    lenient: true,
    help: "the signs for states, trees and cut texts on the terminal screen",
  }),
  tuiColumns: optional({
    key: "tui.columns",
    kind: kinds.text,
    lenient: true,
    help: "columns of the board on the terminal screen, with blanks between: priority, age, owner, labels, due, author, created; | on the board chooses them",
  }),
  tuiCommands: row<Readonly<Record<string, readonly string[]>>>({
    key: "tui.commands",
    kind: kinds.tableOf(kinds.argv),
    default: {},
    lenient: true,
    guarded: "command",
    help: "your own commands for the selected issues of the terminal screen, each a list of a program and its arguments: [docs/tui.md](tui.md#commands-of-your-own)",
  }),
  tuiLayout: row<"auto" | "stacked" | "split">({
    key: "tui.layout",
    kind: kinds.oneOf("auto", "stacked", "split"),
    default: "auto",
    lenient: true,
    help: "whether the terminal screen shows an issue beside the list: where there is room, never, or also where there is little",
  }),
  tuiReducedMotion: row({
    key: "tui.reduced_motion",
    kind: kinds.flag,
    default: false,
    lenient: true,
    help: "nothing on the terminal screen changes by time alone",
  }),
  tuiSilentAfter: row({
    key: "tui.silent_after",
    kind: kinds.atLeast(MIN_SILENCE_MS, "a duration of at least 1m"),
    default: 15 * 60_000,
    lenient: true,
    help: "holders without a change for so long are marked as silent in the fleet of the terminal screen",
  }),
  noMotion: row({
    env: ["NO_MOTION"],
    kind: kinds.presence,
    default: false,
    help: "the same as tui.reduced_motion = true",
  }),
  screenReader: row({
    env: ["SVC_SCREEN_READER", "INK_SCREEN_READER"],
    kind: kinds.flag,
    default: false,
    lenient: true,
    help: "svc tui says in lines what its screen would show",
  }),
  tuiKeys: row<Readonly<Record<string, readonly string[]>>>({
    key: "tui.keys",
    kind: kinds.tableOf(kinds.keyNames),
    default: {},
    lenient: true,
    help: "other keys for commands of the terminal screen, by scope and command: [docs/tui.md](tui.md)",
  }),
  tuiViews: row<Readonly<Record<string, string>>>({
    key: "tui.views",
    kind: kinds.tableOf(kinds.text),
    default: {},
    lenient: true,
    help: "filters of the terminal screen under names, which it writes itself: [docs/tui.md](tui.md#filters)",
  }),
  tuiThemeRef: themeColour("ref", "ids and names"),
  tuiThemeOk: themeColour("ok", "what is open or went well"),
  tuiThemeWarn: themeColour("warn", "what is blocked or urgent"),
  tuiThemeError: themeColour("error", "what failed or is most urgent"),
  tuiThemeDone: themeColour("done", "what is closed"),
  tuiThemeDim: themeColour("dim", "what stands behind the rest"),
  markdownRenderer: optional({
    key: "display.markdown_renderer",
    kind: kinds.argv,
    guarded: "command",
    help: "the program that renders markdown for svc show --render, from stdin to stdout within 10s; unless it is set, svc does",
  }),
  editor: row({
    env: ["VISUAL", "EDITOR"],
    kind: kinds.text,
    default: "vi",
    help: "the editor in which create, edit, comment and the terminal screen open texts",
  }),
  server: optional({
    env: ["SVC_SERVER"],
    kind: kinds.text,
    help: "URL of a daemon on another machine",
  }),
  allowInsecure: row({
    env: ["SVC_ALLOW_INSECURE"],
    kind: kinds.flag,
    default: false,
    help: "allow plain http to SVC_SERVER under a host name",
  }),
  author: optional({
    env: ["SVC_AUTHOR"],
    kind: kinds.anyText,
    help: "who writes are attributed to",
  }),
  user: optional({
    env: ["USER"],
    kind: kinds.anyText,
    help: "who writes are attributed to when SVC_AUTHOR is not set",
  }),
  project: optional({
    env: ["SVC_PROJECT"],
    kind: kinds.text,
    help: "the project of commands, instead of the workspace's own; --project and --workspace win",
  }),
  teammate: optional({
    env: ["SVC_TEAMMATE"],
    kind: kinds.text,
    help: "handle that writes carry beside the actor",
  }),
  inboxUser: optional({
    env: ["SVC_INBOX_USER"],
    kind: kinds.text,
    help: "whose requests svc inbox lists; else those of whom writes are attributed to",
  }),
  httpTimeoutMs: row({
    env: ["SVC_HTTP_TIMEOUT"],
    kind: kinds.atLeast(1, "a duration such as 10s or 2m"),
    default: 5000,
    lenient: true,
    help: "time until an answer begins, and from one piece of it to the next; unless set, imports, plans, undos and changes of whole projects get ten minutes",
  }),
  federationPullIntervalMs: row({
    env: ["SVC_FEDERATION_PULL_INTERVAL_MS"],
    kind: kinds.count,
    default: 30_000,
    help: "milliseconds from one look of a daemon for news of its hubs to the next",
  }),
  colorMode: row<"auto" | "light" | "dark" | "none">({
    env: ["SVC_COLOR_MODE"],
    kind: kinds.oneOfOrFirst("auto", "light", "dark", "none"),
    default: "auto",
    help: "colours of the terminal: auto, light, dark or none",
  }),
  noColor: row({
    env: ["NO_COLOR"],
    kind: kinds.presence,
    default: false,
    help: "print without colours",
  }),
  autostarted: row({
    env: ["SVC_AUTOSTART"],
    kind: kinds.flag,
    default: false,
    help: "set by svc itself on a daemon that a command starts",
  }),
  skipVersionCheck: row({
    env: ["SVC_SKIP_DAEMON_VERSION_CHECK"],
    kind: kinds.flag,
    default: false,
    help: "use a local daemon of another version as it is",
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;

export type Settings = {
  readonly [K in SettingName]: (typeof SETTINGS)[K] extends Row<infer T> ? T : never;
};

export type SettingSource = "flag" | "env" | "file" | "default";
