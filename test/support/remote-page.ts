import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { inNetwork, PRIVATE_4 } from "./private-network.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PAGE = readFileSync(join(ROOT, "docs", "remote.md"), "utf8");
export const TOKEN = "svc_token-that-the-page-leaves-out";

type Machine = "server" | "client";

interface Block {
  readonly language: string;
  readonly text: string;
}

export function headings(): readonly string[] {
  return [...PAGE.matchAll(/^## (.*)$/gm)].map(([, heading = ""]) => heading);
}

/** The blocks below a heading of docs/remote.md. */
export function blocksOf(heading: string): readonly Block[] {
  const [, section = ""] = PAGE.split(`\n## ${heading}\n`);
  const [body = ""] = section.split("\n## ");
  return [...body.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, language = "", block = ""]) => ({
    language,
    text: block,
  }));
}

/**
 * Types blocks of the page as somebody new would, on two machines that share a private network of their own: files are
 * written, commands run. What the page leaves open (`...`, addresses, folders of the system) is filled in.
 */
export class TypedPage {
  readonly folder = mkdtempSync(join(tmpdir(), "svc-page-"));
  readonly #lines: string[] = [];

  constructor() {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 }));
    for (const name of ["server", "client", "bin", "run-server", "run-client"])
      mkdirSync(join(this.folder, name), { mode: 0o700 });
    this.program("svc", `exec ${process.execPath} ${join(ROOT, "bin", "run.js")} "$@"`);
  }

  /** Makes a program that the commands find by its name. */
  program(name: string, script: string): void {
    writeFileSync(join(this.folder, "bin", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  /** Types all blocks of a section in their order; `change` may edit a block first. */
  section(heading: string, change: (block: string) => string = (block) => block): this {
    for (const { language, text: block } of blocksOf(heading)) this.block(language, change(block));
    return this;
  }

  block(language: string, block: string): this {
    if (language === "toml") this.file(block);
    if (language === "sh") this.type(machineOf(block), block);
    if (language === "nginx") this.nginx(block);
    return this;
  }

  /** Writes config.toml of the machine that the first line names. */
  file(toml: string): this {
    const machine = toml.includes("of a client") ? "client" : "server";
    const path = `${this.folder}/${machine}/.svc/config.toml`;
    return this.#then(
      `install -d -m 700 ${this.folder}/${machine}/.svc\n(umask 077; cat > ${path} <<'TOML'\n${this.#filled(toml)}TOML\n)`,
    );
  }

  /** Runs commands on a machine in one shell, as after one login. */
  type(machine: Machine, commands: string): this {
    const env = [
      `HOME=${this.folder}/${machine}`,
      `XDG_RUNTIME_DIR=${this.folder}/run-${machine}`,
      `PATH=${this.folder}/bin:$PATH USER=ann CURL_CA_BUNDLE=${this.folder}/tracker.pem`,
    ].join(" ");
    const typed = this.#filled(commands).replace(/^(ssh .*&)$/m, `$1\n${waitFor(17777)}`);
    return this.#then(`(export ${env}; cd; set -e; ${typed}\n) || echo "ended with $?"`);
  }

  /** Starts nginx with the server of a block; the page's certificate is signed for it. */
  nginx(server: string): this {
    const { folder } = this;
    const temp = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join(" ");
    return this.#then(
      `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 9 -subj /CN=t -addext subjectAltName=DNS:tracker.example.com -keyout ${folder}/tracker.key -out ${folder}/tracker.pem 2>/dev/null
touch ${folder}/svc.users
cat > ${folder}/nginx.conf <<'NGINX'
user root; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events {}
http { access_log ${folder}/access.log; ${temp}
${this.#filled(server)}
}
NGINX
[ -f ${folder}/nginx.pid ] && kill $(cat ${folder}/nginx.pid) && while [ -f ${folder}/nginx.pid ]; do sleep 0.05; done
nginx -c ${folder}/nginx.conf -p ${folder}`,
    );
  }

  #then(line: string): this {
    this.#lines.push(line);
    return this;
  }

  #filled(typed: string): string {
    return typed
      .replaceAll("10.0.0.5", PRIVATE_4)
      .replaceAll(/(token = "|TOKEN=|Bearer )\.\.\./g, `$1${TOKEN}`)
      .replaceAll("/etc/ssl/", `${this.folder}/`)
      .replaceAll("/etc/nginx/", `${this.folder}/`);
  }

  /** Runs all steps and returns everything that was printed on both machines. */
  async run(): Promise<string> {
    const script = join(this.folder, "typed.sh");
    const hosts = join(this.folder, "hosts");
    writeFileSync(hosts, "127.0.0.1 localhost tracker.example.com\n");
    writeFileSync(
      script,
      [
        "exec 2>&1",
        `mount --bind ${hosts} /etc/hosts`,
        ...this.#lines,
        `HOME=${this.folder}/server XDG_RUNTIME_DIR=${this.folder}/run-server ${this.folder}/bin/svc daemon stop`,
      ].join("\n"),
    );
    const env = { PATH: process.env["PATH"], TMPDIR: this.folder };
    // All processes of the network end with the script, or with the test.
    const alone = ["--pid", "--fork", "--kill-child", "--mount-proc"];
    const shell = spawn("unshare", [...alone, ...inNetwork("bash", script)], { env });
    onTestFinished(() => void shell.kill("SIGKILL"));
    shell.stdin.end();
    return await text(shell.stdout);
  }
}

function machineOf(block: string): Machine {
  return block.startsWith("# on another machine") ? "client" : "server";
}

/** Commands that wait until something listens on the port. */
export function waitFor(port: number): string {
  return `for i in $(seq 200); do (echo > /dev/tcp/127.0.0.1/${port}) 2>/dev/null && break; sleep 0.05; done`;
}
