import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { createTestApi } from "../../support/test-api.js";

const { sandbox, server } = await createTestApi();

const apiFolder = new URL("../../../", import.meta.url);
const guides = readdirSync(new URL("guides/", apiFolder));

const programOf = (guide: string): string =>
  [...readFileSync(new URL(`guides/${guide}`, apiFolder), "utf8").matchAll(/^```js\n([\s\S]*?)^```$/gm)]
    .map(([, code]) => code)
    .join("\n");

/** Runs a program with the sandbox's keys in its environment, like a shop's server. */
async function run(program: string): Promise<{ code: unknown; error: string }> {
  const { client_id, client_secret, api_token } = sandbox.access.merchant;
  const child = spawn(process.execPath, ["--input-type=module", "-"], {
    cwd: fileURLToPath(apiFolder),
    env: {
      ...process.env,
      TILLGATE_API_URL: server.url,
      TILLGATE_CLIENT_ID: client_id,
      TILLGATE_CLIENT_SECRET: client_secret,
      TILLGATE_API_TOKEN: api_token,
      TILLGATE_WEBHOOK_SECRET: client_secret,
      PORT: "0",
    },
  });
  let error = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    error += text;
  });
  child.stdin.end(program);
  const [code]: unknown[] = await once(child, "close");
  return { code, error };
}

// Sequential: the guides share a merchant and its test controls.
it.each(guides)("the code of the guide %s, exactly as printed, can be run twice", async (guide) => {
  const program = programOf(guide);
  expect(program).toContain("assert.");
  for (const time of ["first", "second"])
    expect([time, await run(program)]).toEqual([time, { code: 0, error: "" }]);
});

it("a guide with broken code is detected", async () => {
  const { code, error } = await run(`${programOf("first-payment.md")}\nassert.equal(now.status, "PENDING");`);
  expect([code, error.includes("AssertionError")]).toEqual([1, true]);
});
