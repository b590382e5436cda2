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

/** Runs the command with valid options, except for `changes`. */
async function run(changes: Record<string, string>): Promise<{ code: number; output: string }> {
  let output = "";
  const write = (text: string) => {
    output += text;
  };
  const flags = Object.entries({ ...right, ...changes }).flat();
  const surroundings = { report: write, print: write, prompt: async () => null };
  return { code: await connect(["http://127.0.0.1:1", "--out", out, ...flags], surroundings), output };
}

it.each([
  ["--client-id", "tgs_test_the_secret_itself", "--client-id: is a client secret"],
  ["--client-id", "tgs_live_the_secret_itself", "--client-id: is a client secret"],
  ["--client-secret", "tg_live_the_id_itself", "--client-secret: is a client ID"],
  ["--consumer-key", "cs_the_secret_itself", "--consumer-key: must be a consumer key, not its secret"],
  ["--consumer-secret", "ck_the_key_itself", "--consumer-secret: must be a consumer secret, not its key"],
])("tillgate-connect rejects %s %s without saving or repeating it", async (flag, value, words) => {
  const { code, output } = await run({ [flag]: value });
  expect(code).toBe(exitCodes.usage);
  expect(output).toContain(words);
  expect(output).toContain("Nothing was saved");
  expect(output).not.toContain("itself");
  expect(existsSync(out)).toBe(false);
  rmSync(out, { force: true });
});

it.each(["--tillgate-url", "--connector-url", "--return-url"])(
  "tillgate-connect rejects plain HTTP in live mode for %s",
  async (flag) => {
    const live = {
      "--mode": "live",
      "--client-id": "tg_live_0123456789",
      "--client-secret": "tgs_live_0123456789",
      "--tillgate-url": "https://api.example",
      "--connector-url": "https://connector.example",
      "--return-url": "https://shop.example/{order_id}/{order_key}",
    };
    const { code, output } = await run({ ...live, [flag]: "http://localhost:4000/{order_id}/{order_key}" });
    expect({ code, output: output.trim() }).toMatchObject({
      code: exitCodes.usage,
      output: expect.stringContaining(`${flag}: must be https in live mode\nNothing was saved.`),
    });
  },
);

it("tillgate-connect reports all invalid options together", async () => {
  const { code, output } = await run({
    "--client-id": "tgs_test_x",
    "--mode": "test",
    "--connector-url": "nowhere",
  });
  expect(code).toBe(exitCodes.usage);
  expect(output.split("\n")).toEqual([
    expect.stringMatching(/^--client-id: is a client secret/),
    "--mode: must be one of sandbox, live",
    "--connector-url: must be an http or https URL",
    "Nothing was saved.",
    "See --help.",
    "",
  ]);
});
