import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { connect, exitCodes } from "../../src/connect/connect.js";

const folder = mkdtempSync(path.join(tmpdir(), "connect-options-"));
const out = path.join(folder, "stores.json");
const right = {
  "--consumer-key": "ck_0123456789",
  "--consumer-secret": "cs_0123456789",
  "--client-id": "tg_test_0123456789",
  "--client-secret": "tgs_test_0123456789",
  "--tillgate-url": "http://127.0.0.1:1",
  "--connector-url": "http://127.0.0.1:1",
};

it.each([
  ["--client-id", "tgs_test_the_secret_itself", "--client-id is a client secret"],
  ["--client-id", "tgs_live_the_secret_itself", "--client-id is a client secret"],
  ["--client-secret", "tg_live_the_id_itself", "--client-secret is a client id"],
  ["--consumer-key", "cs_the_secret_itself", "--consumer-key is a consumer secret"],
  ["--consumer-secret", "ck_the_key_itself", "--consumer-secret is a consumer key"],
])("%s %s is refused at once, not stored and not repeated", async (flag, value, words) => {
  let said = "";
  const surroundings = {
    report: (text: string) => {
      said += text;
    },
    print: (text: string) => {
      said += text;
    },
    askPerson: async () => null,
  };
  const flags = Object.entries({ ...right, [flag]: value }).flat();
  const code = await connect(["http://127.0.0.1:1", "--out", out, ...flags], surroundings);
  expect(code).toBe(exitCodes.usage);
  expect(said).toContain(words);
  expect(said).toContain("Nothing was stored");
  expect(said).not.toContain("itself");
  expect(existsSync(out)).toBe(false);
  rmSync(out, { force: true });
});
