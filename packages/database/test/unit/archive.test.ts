import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { archivePath, createArchiveSettings, hasArchive } from "../../src/embedded/archive.js";

let folder: string;
let archive: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-archive-"));
  archive = archivePath(folder);
  await mkdir(archive);
});
afterEach(() => rm(folder, { recursive: true }));

const segment = (number: number, timeline = 2) =>
  `${String(timeline).padStart(8, "0")}${String(number).padStart(16, "0")}`;
const lineOf = (name: string) => `${"a".repeat(64)}  ${name}.gz\n`;
const manifest = () => readFile(path.join(archive, "manifest"), "utf8");

/** Archives a segment as PostgreSQL does. */
async function archiveSegment(name: string): Promise<void> {
  const file = path.join(folder, "segment");
  await writeFile(file, name);
  const { archive_command = "" } = createArchiveSettings(folder);
  const placeholders: Record<string, string> = { "%p": file, "%f": name, "%%": "%" };
  const command = archive_command.replaceAll(/%[pf%]/g, (found) => placeholders[found] ?? "");
  await promisify(execFile)("sh", ["-c", command]);
}

describe("the manifest of archived WAL", () => {
  it("loses exactly the lines of deleted segments, wherever they are", async () => {
    const lines = [
      lineOf(segment(3, 1)),
      lineOf(`${segment(3, 1)}.partial`),
      lineOf("00000002.history"),
      // Truncated by a crash.
      `${lineOf(segment(4)).slice(0, 80)}\n`,
      ...[segment(4), segment(5), segment(6), segment(3)].map(lineOf),
    ];
    await writeFile(path.join(archive, "manifest"), lines.join(""));
    await writeFile(path.join(archive, "oldest"), segment(5));
    await archiveSegment(segment(7));
    const listed = (await manifest()).split("\n").map((line) => line.slice(66));
    expect(listed).toEqual([
      `${segment(3, 1)}.partial.gz`,
      "00000002.history.gz",
      ...[segment(5), segment(6), segment(7)].map((name) => `${name}.gz`),
      "",
    ]);
  });

  it("is not rewritten while it lists no deleted segment", async () => {
    const lines = [lineOf("00000002.history"), lineOf(segment(5))];
    await writeFile(path.join(archive, "manifest"), lines.join(""));
    await writeFile(path.join(archive, "oldest"), segment(5));
    const { ino } = await stat(path.join(archive, "manifest"));
    await archiveSegment(segment(6));
    expect((await stat(path.join(archive, "manifest"))).ino).toBe(ino);
  });

  it("keeps all lines if the name of the oldest segment is damaged", async () => {
    await writeFile(path.join(archive, "manifest"), lineOf(segment(5)));
    for (const damaged of ["", "Z"]) {
      await writeFile(path.join(archive, "oldest"), damaged);
      await archiveSegment(segment(6));
      expect(await manifest()).toContain(lineOf(segment(5)));
    }
  });
});

describe("a backup folder", () => {
  it("has an archive if it contains WAL or a manifest, even if damaged", async () => {
    expect(await hasArchive(folder)).toBe(false);
    await writeFile(path.join(archive, "manifest"), "damaged\n\n");
    expect(await hasArchive(folder)).toBe(true);
    await rm(path.join(archive, "manifest"));
    await writeFile(path.join(archive, `${segment(1)}.gz`), "");
    expect(await hasArchive(folder)).toBe(true);
    await rm(archive, { recursive: true });
    expect(await hasArchive(folder)).toBe(false);
  });
});
