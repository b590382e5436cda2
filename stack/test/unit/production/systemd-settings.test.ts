import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseEnv } from "node:util";
import { expect, it } from "vitest";
import { serviceEntries } from "../../../src/services.js";

const root = path.resolve(import.meta.dirname, "../../../..");
const folder = path.join(root, "deploy/systemd");
const read = (name: string) => parseEnv(readFileSync(path.join(folder, `settings/${name}.env`), "utf8"));

it("the systemd units of the services run built programs and get only the secrets that they need", () => {
  const [http, worker, pay, console] = [read("http-4000"), read("worker"), read("pay"), read("console")];
  expect([http, worker, pay, console].map(({ PROGRAM }) => PROGRAM)).toEqual([
    serviceEntries.api,
    serviceEntries.api,
    serviceEntries.pay,
    serviceEntries.dashboard,
  ]);
  const secrets = /^DATABASE|_KEYS?$/;
  const secretNames = (settings: NodeJS.Dict<string>) =>
    Object.keys(settings).filter((name) => secrets.test(name));
  expect([secretNames(pay), secretNames(console)]).toEqual([
    ["TILLGATE_INTERNAL_KEY"],
    ["TILLGATE_CONSOLE_KEY"],
  ]);
  expect(JSON.stringify([http, worker])).not.toContain("DATABASE_OWNER_URL");
  expect(secretNames(read("migrate"))).toEqual(["DATABASE_OWNER_URL", "DATABASE_URL"]);
});

it("each systemd unit starts the program without npm, so that SIGTERM reaches it", () => {
  const started = ["tillgate", "tillgate@"].map(
    (unit) => /^ExecStart=(.*)$/m.exec(readFileSync(path.join(folder, `${unit}.service`), "utf8"))?.[1],
  );
  expect(started).toEqual([
    "/usr/bin/node scripts/up.mjs /etc/tillgate/settings.env",
    expect.stringMatching(/^\/usr\/bin\/node /),
  ]);
  expect(existsSync(path.join(root, "scripts/up.mjs"))).toBe(true);
});

it("the unit that runs all services waits for the disks of the folders that it writes to", () => {
  const unit = readFileSync(path.join(folder, "tillgate.service"), "utf8");
  const pathsOf = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1];
  expect(pathsOf("RequiresMountsFor")).toBe(pathsOf("ReadWritePaths"));
  expect(pathsOf("ReadWritePaths")).toContain("/var/lib/tillgate");
});
