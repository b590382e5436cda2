import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTestSandbox } from "../../support/test-api.js";

const sandbox = await createTestSandbox();

const program = path.resolve(import.meta.dirname, "../../../dist/cli/main.js");

/** Runs the built CLI in a separate process, like `npm run admin`. */
async function run(words: string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, [program, ...words], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let error = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    error += chunk;
  });
  await once(child, "close");
  return { exit: child.exitCode, out, error };
}

const environment = () => ({
  DATABASE_URL: sandbox.url,
  TILLGATE_ENCRYPTION_KEYS: [...sandbox.keyring.keys]
    .map(([id, key]) => `${id}:${key.toString("base64")}`)
    .join(","),
});

/** Makes loading the database package or Prisma an error. */
const hooks = `export const resolve = (name, context, next) => {
  if (name.startsWith("@tillgate/database") || name.startsWith("@prisma")) throw new Error("loads " + name);
  return next(name, context);
}`;
const asModule = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`;
const NO_DATABASE = `import { register } from "node:module"; register(${JSON.stringify(asModule(hooks))});`;

describe("admin process", () => {
  it("prints help and usage errors without loading the database packages", async () => {
    const environment = { NODE_OPTIONS: `--import=${asModule(NO_DATABASE)}` };
    const help = await run(["--help"], environment);
    expect(help).toMatchObject({ exit: 0, error: "" });
    expect(help.out).toContain("Merchants' API keys");
    expect(await run(["merchant"], environment)).toMatchObject({
      exit: 2,
      error: expect.stringContaining("Did you mean merchants?"),
    });
    // Verifies that the hook rejects the database packages.
    expect((await run(["merchants", "list"], environment)).error).toContain("loads @tillgate/database");
  });

  it("applies a change, prints the result and exits", async () => {
    const by = ["--by", sandbox.access.administrator.email];
    const { exit, out, error } = await run(
      ["users", "reset-pin", "amelie@example.com", "--mode", "sandbox", ...by],
      { ...environment(), TILLGATE_ADMIN_PASSWORD: sandbox.access.administrator.password },
    );
    expect({ exit, error }).toEqual({ exit: 0, error: "" });
    expect(out).toMatch(/^Amélie Laurent has a new PIN\. .+\n {2}user +[0-9a-f-]{36}\n {2}pin +\d{6}\n$/);
  });

  it("prints lists as aligned columns, and replaces control characters in names", async () => {
    await sandbox.database.prisma.merchant.create({ data: { name: "Red\u001b[31m alert" } });
    const { out } = await run(["merchants", "list", "--search", "red"], environment());
    expect(out).toMatch(/^merchant +name +suspended/);
    expect(out).toContain("Red\u{FFFD}[31m alert");
    expect(out).not.toContain("\u001b");
  });

  it("exits without an error if the reader closes the pipe", async () => {
    const child = spawn(process.execPath, [program, "currencies", "list", "--json"], {
      env: { PATH: process.env.PATH, ...environment() },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let error = "";
    child.stderr.on("data", (chunk) => {
      error += chunk;
    });
    child.stdout.destroy();
    await once(child, "close");
    expect({ exit: child.exitCode, error }).toEqual({ exit: 0, error: "" });
  });

  it("exits with status 3 and a one-line error if settings are missing or the database is unreachable", async () => {
    const none = await run(["payouts", "list"], {
      TILLGATE_ENCRYPTION_KEYS: environment().TILLGATE_ENCRYPTION_KEYS,
    });
    expect(none).toMatchObject({ exit: 3, out: "", error: "DATABASE_URL: is required\n" });
    const silent = await run(["payouts", "list"], {
      ...environment(),
      DATABASE_URL: "postgresql://127.0.0.1:1/tillgate",
    });
    expect(silent).toMatchObject({
      exit: 3,
      out: "",
      error: "Cannot connect to the database. Is npm start running?\n",
    });
  });
});
