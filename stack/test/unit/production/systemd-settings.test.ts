import { readFileSync } from "node:fs";
import path from "node:path";
import { parseEnv } from "node:util";
import { expect, it } from "vitest";
import { entries } from "../../../src/services.js";

const folder = path.resolve(import.meta.dirname, "../../../../deploy/systemd/settings");
const read = (name: string) => parseEnv(readFileSync(path.join(folder, `${name}.env`), "utf8"));

it("each unit runs a program that is built, and knows no more secrets than that one needs", () => {
  const [http, worker, pay, console] = [read("http-4000"), read("worker"), read("pay"), read("console")];
  expect([http, worker, pay, console].map(({ PROGRAM }) => PROGRAM)).toEqual([
    entries.api,
    entries.api,
    entries.pay,
    entries.dashboard,
  ]);
  const secrets = /^DATABASE|_KEYS?$/;
  const known = (settings: NodeJS.Dict<string>) => Object.keys(settings).filter((name) => secrets.test(name));
  expect([known(pay), known(console)]).toEqual([["TILLGATE_INTERNAL_KEY"], ["TILLGATE_CONSOLE_KEY"]]);
  expect(JSON.stringify([http, worker])).not.toContain("DATABASE_OWNER_URL");
});
