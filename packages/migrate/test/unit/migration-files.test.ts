import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { computeChecksum, matchesChecksum, readMigrations } from "../../src/migration-files.js";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), "tillgate-migrations-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

describe("readMigrations", () => {
  it("returns migrations sorted by name and ignores other files", () => {
    for (const name of ["20260102_b", "20260101_a", "20260103_Z"]) {
      mkdirSync(path.join(directory, name));
      writeFileSync(path.join(directory, name, "migration.sql"), `-- ${name}`);
    }
    writeFileSync(path.join(directory, "migration_lock.toml"), 'provider = "postgresql"');
    expect(readMigrations(directory).map(({ name }) => name)).toEqual([
      "20260101_a",
      "20260102_b",
      "20260103_Z",
    ]);
  });

  it("throws when the folder does not exist", () => {
    const missing = path.join(directory, "nowhere");
    expect(() => readMigrations(missing)).toThrow(`The migrations folder ${missing} cannot be read.`);
  });

  it("throws when a migration has no migration.sql", () => {
    mkdirSync(path.join(directory, "1_empty"));
    expect(() => readMigrations(directory)).toThrow("Migration 1_empty");
  });
});

describe("migrations", () => {
  const add = (...names: string[]) => {
    for (const name of names) {
      mkdirSync(path.join(directory, name));
      writeFileSync(path.join(directory, name, "migration.sql"), "SELECT 1");
    }
  };

  it.each([
    ["0012_notice_mails", "0012_refund_notes"],
    ["0012_a", "12_b"],
    ["20261122100000_a", "20261122100000_b"],
  ])("are rejected if their numbers are the same: %s and %s", (one, other) => {
    add("0001_baseline", other, one);
    expect(() => readMigrations(directory)).toThrow(
      /Migrations .+ and .+ have the same number. Renumber one of them/,
    );
    expect(() => readMigrations(directory)).toThrow(expect.objectContaining({ reason: "same_number" }));
  });

  it("are accepted if their numbers only share a prefix, or if their names have no number", () => {
    add("0001_a", "0010_b", "0011_c", "0110_d", "words", "more_words");
    expect(readMigrations(directory)).toHaveLength(6);
  });
});

describe("computeChecksum", () => {
  it("is Prisma's: SHA-256 of the script in hex", () => {
    expect(computeChecksum("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  });
});

it("matchesChecksum ignores differences in line endings, but not an added space", () => {
  const [unix, windows] = ["SELECT 1;\nSELECT 2;\n", "SELECT 1;\r\nSELECT 2;\r\n"];
  expect(matchesChecksum(windows, computeChecksum(unix))).toBe(true);
  expect(matchesChecksum(unix, computeChecksum(windows))).toBe(true);
  expect(matchesChecksum(`${unix} `, computeChecksum(unix))).toBe(false);
});
