import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdminCli, openAdminCli } from "./admin-cli.js";

const GUIDE = new URL("../../../../../docs/administration.md", import.meta.url);

let admin: AdminCli;
let guide: string;
let folder: string;

beforeAll(async () => {
  guide = await readFile(GUIDE, "utf8");
  admin = await openAdminCli();
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-administration-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await admin.close();
});

function commandsOf(heading: string): string[][] {
  const section = guide.split(`${heading}\n`)[1]?.split(/^#{2,3} /m)[0] ?? "";
  const lines = [...section.matchAll(/npm run admin -- ([^`\n]+)/g)].map(([, line = ""]) => line);
  expect(lines).not.toEqual([]);
  return lines.map((line) =>
    [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? ""),
  );
}

/** Lists the commands in the CLI's help, whose lines are indented by two spaces. */
async function commandNames(...group: string[]): Promise<string[]> {
  const { out, exit } = await admin.run(...group, "--help");
  expect(exit).toBe(0);
  const [, commands = ""] = out.split("\nCommands:\n");
  return [...commands.matchAll(/^ {2}([a-z-]+)/gm)].flatMap(([, name = ""]) => (name === "help" ? [] : name));
}

describe("docs/administration.md", () => {
  it("lists exactly the groups and commands of the CLI", async () => {
    const [, behind = ""] = guide.split("## Commands\n");
    const [table = ""] = behind.split("\n### ");
    const rows = [...table.matchAll(/^\| (`.+?) \| (.+) \|$/gm)];
    const documented = new Map<string, string[]>();
    for (const [, groups = "", commands = ""] of rows)
      for (const [, group = ""] of groups.matchAll(/`([a-z]+)`/g))
        documented.set(
          group,
          [...commands.matchAll(/`([a-z-]+)[^`]*`/g)].map(([, name = ""]) => name),
        );
    expect([...documented.keys()].sort()).toEqual((await commandNames()).sort());
    for (const [group, commands] of documented)
      expect([group, commands.sort()]).toEqual([group, (await commandNames(group)).sort()]);
  });

  it("shows --help only for groups and commands that exist", async () => {
    const shown = [...guide.matchAll(/npm run admin -- ((?:[a-z-]+ )*)--help/g)];
    expect(shown.length).toBeGreaterThan(2);
    for (const [, words = ""] of shown)
      expect((await admin.run(...words.split(" ").filter(Boolean), "--help")).exit).toBe(0);
  });

  it("contains commands that set up a merchant for live payouts, up to a deposit that awaits a second administrator's approval", async () => {
    const commands = commandsOf("### Set up a merchant for live payouts");
    const ended = [];
    for (const words of commands) ended.push(await admin.run(...words));
    expect(ended.map(({ exit, error }) => ({ exit, error }))).toEqual(
      commands.map(() => ({ exit: 0, error: "" })),
    );
    expect(ended.at(-1)?.out).toContain(
      "needs a second administrator's approval. That administrator must run `requests approve ",
    );
    const [waiting] = await admin.runList("requests", "list");
    await admin.runJson("requests", "approve", String(waiting?.request), "--by", admin.second);
    expect(
      await admin.runList("wallets", "list", "--merchant", "Harbour Books", "--mode", "live"),
    ).toMatchObject([{ currency: "EUR", balance: "5000.00" }]);
  });

  it("contains a command that imports its example rates", async () => {
    const [, sample = ""] = /```\n(base,quote[\s\S]*?)```/.exec(guide) ?? [];
    const file = path.join(folder, "rates.csv");
    await writeFile(file, sample);
    const [words = []] = commandsOf("### Importing rates");
    expect(words).toContain("rates.csv");
    const { exit, error } = await admin.run(...words.map((word) => (word === "rates.csv" ? file : word)));
    expect({ exit, error }).toEqual({ exit: 0, error: "" });
  });
});
