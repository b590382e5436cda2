import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { buildFolder } from "../../../src/production/build-folder.js";

let parent: string;
let into: string;
beforeEach(async () => {
  parent = await mkdtemp(path.join(tmpdir(), "tillgate-build-folder-"));
  into = path.join(parent, "restored");
});
afterEach(() => rm(parent, { recursive: true, force: true }));

it("a data folder has a temporary name until it is complete", async () => {
  const result = await buildFolder(into, async (folder) => {
    expect([folder, existsSync(into)]).toEqual([`${into}.partial`, false]);
    await writeFile(path.join(folder, "secrets.json"), "{}");
    return "done";
  });
  expect([result, await readdir(parent), await readdir(into)]).toEqual([
    "done",
    ["restored"],
    ["secrets.json"],
  ]);
});

it.each([
  ["stack.lock", JSON.stringify({ pid: 4_194_304, started: "", ports: [] })],
  ["stack.lock", ""],
  ["stack.lock.5f0c2f4e.unfinished", ""],
])(
  "the leftovers of an interrupted command, with the lock file %s, are removed by the next command",
  async (lock, content) => {
    await mkdir(path.join(`${into}.partial`, "postgres"), { recursive: true });
    await writeFile(path.join(`${into}.partial`, lock), content);
    await buildFolder(into, (folder) => writeFile(path.join(folder, "new"), ""));
    expect([await readdir(parent), await readdir(into)]).toEqual([["restored"], ["new"]]);
  },
);

it.each([
  ["a link to a folder", (partial: string, other: string) => symlink(other, partial)],
  [
    "a folder with other files",
    async (partial: string) => {
      await mkdir(partial);
      await writeFile(path.join(partial, "secrets.json"), "{}");
    },
  ],
])("%s with the temporary name is left unchanged, and the command fails", async (_what, create) => {
  const other = path.join(parent, "other");
  await mkdir(other);
  await writeFile(path.join(other, "secrets.json"), "{}");
  await create(`${into}.partial`, other);
  await expect(buildFolder(into, async () => undefined)).rejects.toThrow(
    "was not created by an earlier command",
  );
  expect([await readdir(other), await readdir(`${into}.partial`)]).toEqual([
    ["secrets.json"],
    ["secrets.json"],
  ]);
});

it("a link in place of the data folder is rejected before anything is built", async () => {
  await mkdir(path.join(parent, "other"));
  await symlink(path.join(parent, "other"), into);
  await expect(buildFolder(into, () => Promise.reject(new Error("built")))).rejects.toThrow(
    "is not a folder",
  );
});

it("only one command at a time can fill a data folder", async () => {
  await buildFolder(into, async (folder) => {
    await writeFile(path.join(folder, "first"), "");
    await expect(buildFolder(into, async () => undefined)).rejects.toThrow(
      /already running in .*restored\.partial/,
    );
    expect(await readFile(path.join(folder, "first"), "utf8")).toBe("");
  });
  expect(await readdir(into)).toEqual(["first"]);
});

it("a data folder that cannot be filled is removed, and a folder with files is left unchanged", async () => {
  await expect(buildFolder(into, () => Promise.reject(new Error("damaged")))).rejects.toThrow("damaged");
  expect(await readdir(parent)).toEqual([]);
  await mkdir(into);
  await writeFile(path.join(into, "secrets.json"), "{}");
  await expect(buildFolder(into, async () => undefined)).rejects.toThrow("is not empty");
  expect(await readdir(parent)).toEqual(["restored"]);
});
