/**
 * Checks the files of `deploy/` with the programs that read them: the compose file against the schema of Docker Compose, which needs no engine,
 * and the units with `systemd-analyze`. A mistake that is put in must be found. Exit code 0: all are valid.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { root } from "../bootstrap/project.mjs";

const deploy = path.join(root, "deploy");
const folder = mkdtempSync(path.join(tmpdir(), "tillgate-deployment-files-"));
let failed = false;

/** Requires that a program accepts a file, and rejects it after a change. */
function check(file, name, change, validate) {
  const text = readFileSync(path.join(deploy, file), "utf8");
  const changed = text.replace(...change);
  if (changed === text) throw new Error(`${file} does not contain ${change[0]}`);
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
    if (isAccepted === isValid) continue;
    failed = true;
    console.error(
      `${file} ${isValid ? "is rejected" : `is accepted with ${change[1]}`}:\n${stdout}${stderr}`,
    );
  }
  console.log(`${file} was checked.`);
}

const run = (command, ...options) => spawnSync(command, options, { encoding: "utf8" });
const compose = (file) => run("docker-compose", "--file", file, "config", "--quiet");
const unit = (file) => run("systemd-analyze", "verify", "--man=no", file);

try {
  check("docker/compose.yml", "compose.yml", ["stop_grace_period", "stop_grace_perod"], compose);
  const misspelt = ["NoNewPrivileges", "NoNewPriviliges"];
  check("systemd/tillgate.service", "tillgate.service", misspelt, unit);
  check("systemd/tillgate@.service", "tillgate@http-4000.service", misspelt, unit);
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = failed ? 1 : 0;
