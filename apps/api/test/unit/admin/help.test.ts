import { describe, expect, it } from "vitest";
import { Exit, runAdmin } from "../../../src/cli/run.js";

/** Runs the CLI with a database and a password prompt that throw when used. */
async function run(...words: string[]) {
  let out = "";
  let error = "";
  const exit = await runAdmin(
    words,
    {
      write: (text) => {
        out += text;
      },
      writeError: (text) => {
        error += text;
      },
    },
    () => {
      throw new Error("the help must not use the database");
    },
    () => {
      throw new Error("the help must not ask for a password");
    },
  );
  return { exit, out, error };
}

const commandsIn = (help: string): string[] =>
  [...(help.split("Commands:\n")[1] ?? "").matchAll(/^ {2}([a-z][a-z-]*)/gm)]
    .map(([, name]) => name ?? "")
    .filter((name) => name !== "help");

const groups = commandsIn((await run("--help")).out);
const commands = (
  await Promise.all(
    groups.map(async (group) =>
      commandsIn((await run(group, "--help")).out).map((name) => [group, name] as const),
    ),
  )
).flat();

const READ_ONLY_COMMANDS = [
  "list",
  "show",
  "verify",
  "confirmations",
  "test",
  "missed",
  "deliveries",
  "attempts",
  "timeline",
];

describe("CLI help", () => {
  it("lists the command groups", () => {
    expect(groups).toEqual([
      "merchants",
      "credentials",
      "webhooks",
      "users",
      "wallets",
      "payouts",
      "refunds",
      "requests",
      "currencies",
      "rates",
      "fees",
      "limits",
      "administrators",
      "audit",
    ]);
  });

  it.each(commands)(
    "shows the usage of %s %s with a valid example, and with --by and --dry-run if it changes data",
    async (group, name) => {
      const { exit, out } = await run(group, name, "--help");
      expect(exit).toBe(Exit.Done);
      expect(out).toContain("Usage: npm run admin --");
      const example = /Examples:\n {2}(.+)/.exec(out)?.[1];
      expect(example).toContain(`npm run admin -- ${group} ${name}`);
      if (!READ_ONLY_COMMANDS.includes(name)) {
        expect(out).toContain("--by <e-mail>");
        expect(out).toContain("--dry-run");
      }
      // An invalid example would end with Usage; a valid one reaches the database.
      const words = [...(example ?? "").slice("npm run admin -- ".length).matchAll(/"([^"]*)"|(\S+)/g)].map(
        ([, quoted, plain]) => quoted ?? plain ?? "",
      );
      expect(await run(...words)).toMatchObject({
        exit: Exit.Failed,
        error: expect.stringContaining("the help must not use the database"),
      });
    },
  );

  it("exits with status 2 for a missing or unknown command, too many arguments, an invalid choice or missing options", async () => {
    expect((await run()).exit).toBe(Exit.Usage);
    expect(await run("merchant")).toMatchObject({
      exit: Exit.Usage,
      error: expect.stringContaining("Did you mean merchants?"),
    });
    expect(await run("payouts", "list", "all")).toMatchObject({ exit: Exit.Usage });
    expect(await run("rates", "list", "--mode", "test")).toMatchObject({
      exit: Exit.Usage,
      error: expect.stringContaining("--mode must be sandbox or live"),
    });
    expect(await run("rates", "list")).toMatchObject({
      exit: Exit.Usage,
      error: expect.stringContaining("--mode must be sandbox or live"),
    });
    expect(await run("wallets", "deposit", "1", "--mode", "live", "--currency", "EUR")).toMatchObject({
      exit: Exit.Usage,
      error: expect.stringContaining("--reference is required; --by is required"),
    });
  });
});
