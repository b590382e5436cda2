/** Checks the files of `deploy/` with the programs that read them. Docker Compose needs no Docker engine for this check. */
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { root } from "../bootstrap/project.mjs";

const deploy = path.join(root, "deploy");
const folder = mkdtempSync(path.join(tmpdir(), "tillgate-deployment-files-"));

/** Checks that a program accepts a file, and rejects it after a word is misspelt. */
function check(file, name, change, validate) {
  const text = readFileSync(path.join(deploy, file), "utf8");
  const changed = text.replace(...change);
  if (changed === text) throw new Error(`${file} does not contain ${change[0]}`);
  const errors = [];
  for (const [content, isValid] of [
    [text, true],
    [changed, false],
  ]) {
    const copy = path.join(folder, name);
    writeFileSync(copy, content);
    const { status, stdout, stderr, error } = validate(copy);
    if (error) throw error;
    // systemd-analyze only warns about an unknown directive.
    const isAccepted = status === 0 && stderr === "";
    if (isAccepted !== isValid)
      errors.push(`${isValid ? "is rejected" : `is accepted with ${change[1]}`}:\n${stdout}${stderr}`);
  }
  report(file, errors);
}

function report(file, errors) {
  if (errors.length === 0) console.log(`${file} is valid.`);
  else process.exitCode = 1;
  for (const error of errors) console.error(`${file} ${error}`);
}

const run = (command, ...options) => spawnSync(command, options, { encoding: "utf8" });
const compose = (file) => run("docker-compose", "--file", file, "config", "--quiet");
const unit = (file) => run("systemd-analyze", "verify", "--man=no", file);
const haproxy = (file) => run("haproxy", "-c", "-q", "-f", file);

/** Checks that logrotate archives a log that a program has open, and that the program continues at the beginning of the emptied file. */
function checkLogRotation() {
  const file = "systemd/tillgate.logrotate";
  const log = path.join(folder, "logs/api.log");
  mkdirSync(path.dirname(log));
  const open = openSync(log, "a");
  writeSync(open, "first\n");
  const settings = readFileSync(path.join(deploy, file), "utf8")
    .replaceAll("/var/lib/tillgate/data", folder)
    .replace("su tillgate tillgate", "");
  writeFileSync(path.join(folder, "logrotate"), settings, { mode: 0o644 });
  const rotate = ["--force", "--state", path.join(folder, "state"), path.join(folder, "logrotate")];
  const { status, stderr } = run("logrotate", ...rotate);
  writeSync(open, "second\n");
  closeSync(open);
  const archived = run("gzip", "-dc", `${log}.1.gz`).stdout;
  const written = readFileSync(log, "utf8");
  const isRotated = status === 0 && archived === "first\n" && written === "second\n";
  const found = `Exit code: ${status} (expected 0). Archive: ${JSON.stringify(archived)} (expected "first\\n"). Open log: ${JSON.stringify(written)} (expected "second\\n").`;
  report(file, isRotated ? [] : [`does not rotate the log. ${found}\n${stderr}`]);
}

/** Checks the load balancer's configuration with a generated certificate. */
function checkLoadBalancer() {
  const certificates = path.join(folder, "certificates.pem");
  run(
    "openssl",
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-subj",
    "/CN=test",
    "-keyout",
    certificates,
    "-out",
    `${certificates}.crt`,
  );
  appendFileSync(certificates, readFileSync(`${certificates}.crt`));
  check(
    "high-availability/load-balancer.cfg",
    "load-balancer.cfg",
    ["option redispatch", "option redispach"],
    (file) => {
      writeFileSync(file, readFileSync(file, "utf8").replace("/etc/haproxy/certificates.pem", certificates));
      return haproxy(file);
    },
  );
}

// cspell:ignore perod redispach Priviliges
try {
  checkLogRotation();
  check("docker/compose.yml", "compose.yml", ["stop_grace_period", "stop_grace_perod"], compose);
  checkLoadBalancer();
  const misspelt = ["NoNewPrivileges", "NoNewPriviliges"];
  check("systemd/tillgate.service", "tillgate.service", misspelt, unit);
  check("systemd/tillgate@.service", "tillgate@http-4000.service", misspelt, unit);
} finally {
  rmSync(folder, { recursive: true });
}
