import { chown, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { inspectArchive } from "@tillgate/database/embedded";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backUp } from "../../../src/production/backups.js";
import { restore } from "../../../src/production/restore.js";
import {
  type ArchivingSystem,
  archiveLog,
  now,
  paidOrdersInCopy,
  pay,
  startArchivingSystem,
} from "../../support/archiving-system.js";

let system: ArchivingSystem;
/** IDs of orders, oldest first. Each was paid in a separate WAL segment. */
const paid: string[] = [];
let firstSegment: string;
beforeAll(async () => {
  system = await startArchivingSystem();
  await pay(system);
  await archiveLog(system);
  ({ firstFile: firstSegment } = await backUp(system.settings));
  for (let segment = 0; segment < 3; segment += 1) {
    await archiveLog(system);
    paid.push(await pay(system));
    await archiveLog(system);
  }
}, 120_000);
afterAll(() => system.stop());

const restoreInto = (name: string, acceptUntil?: Date) =>
  restore({
    ...system.settings,
    into: path.join(system.folder, name),
    to: undefined,
    secrets: system.settings.dataDirectory,
    acceptUntil,
  });

const archive = () => path.join(system.settings.backupFolder, "wal");
const segments = async () =>
  (await readdir(archive())).filter((name) => /^[0-9A-F]{24}\.gz$/.test(name) && name >= firstSegment).sort();
const damagesOfArchive = async () =>
  (await inspectArchive(system.settings.backupFolder, firstSegment)).damages.map(
    ({ file, cause }) => `${file} is ${cause}`,
  );

type Damage = (file: string, other: string) => Promise<unknown>;
const remove: Damage = (file) => rm(file);

/** Runs `work` while files are damaged, then restores their content. */
async function whileDamaged<Result>(
  files: readonly string[],
  damage: Damage,
  work: () => Promise<Result>,
): Promise<Result> {
  const contents = await Promise.all(files.map((file) => readFile(file)));
  const [file = "", other = ""] = files;
  await damage(file, other);
  try {
    return await work();
  } finally {
    for (const [index, content] of contents.entries()) {
      const restored = files[index] ?? "";
      await writeFile(restored, content);
      // PostgreSQL runs as another user when root runs the tests.
      const { uid, gid } = await stat(path.dirname(restored));
      await chown(restored, uid, gid);
    }
  }
}

/** Each function damages the first file; `swapped` exchanges its content with the other file's. */
const DAMAGES: Record<string, Damage> = {
  missing: remove,
  truncated: async (file) => writeFile(file, (await readFile(file)).subarray(0, -10)),
  corrupted: async (file) => {
    const bytes = await readFile(file);
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 0x01, bytes.length >> 1);
    await writeFile(file, bytes);
  },
  swapped: async (file, other) => {
    const [content, others] = [await readFile(file), await readFile(other)];
    await writeFile(file, others);
    await writeFile(other, content);
  },
  "replaced by a file that PostgreSQL reads without an error": async (file) => {
    // Changes a byte after the last WAL record.
    const bytes = gunzipSync(await readFile(file));
    bytes.writeUInt8(1, bytes.length - 1);
    await writeFile(file, gzipSync(bytes));
  },
};

describe("the archive's manifest", () => {
  it.each(Object.keys(DAMAGES))(
    "detects that the first, a middle or the newest WAL file is %s",
    async (kind) => {
      const names = await segments();
      for (const name of [names.at(0), names.at(-3), names.at(-1)]) {
        const other = names.find((one) => one !== name && (kind !== "swapped" || one < String(names.at(-1))));
        const files = [name, other].map((one) => path.join(archive(), String(one)));
        const damages = await whileDamaged(files, DAMAGES[kind] ?? remove, damagesOfArchive);
        expect(damages).toContain(`wal/${name} is ${kind === "missing" ? "missing" : "damaged"}`);
      }
      expect(await damagesOfArchive()).toEqual([]);
    },
    60_000,
  );

  it("detects that the manifest itself is missing, truncated or corrupted", async () => {
    const file = path.join(archive(), "manifest");
    const text = await readFile(file, "utf8");
    const damages = {
      missing: () => rm(file),
      truncated: () => writeFile(file, text.slice(0, text.length >> 1)),
      corrupted: () => writeFile(file, text.replace("  ", " #")),
    };
    for (const [kind, damage] of Object.entries(damages))
      expect(await whileDamaged([file], damage, damagesOfArchive), kind).toEqual([
        expect.stringMatching(/^wal\/manifest is /),
      ]);
  });

  it("accepts a missing or incomplete line for the newest file", async () => {
    const file = path.join(archive(), "manifest");
    const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
    const last = lines.pop() ?? "";
    const torn = last.slice(0, 40);
    for (const end of ["", torn, `${torn}\n${last}\n`])
      expect(
        await whileDamaged([file], () => writeFile(file, `${lines.join("\n")}\n${end}`), damagesOfArchive),
      ).toEqual([]);
  });

  it("is continued after an incomplete line, which is reported as damaged", async () => {
    const file = path.join(archive(), "manifest");
    await writeFile(file, `${await readFile(file, "utf8")}0123`);
    await pay(system);
    await archiveLog(system);
    const text = await readFile(file, "utf8");
    expect(text).toMatch(/\n0123\n[0-9a-f]{64} {2}[0-9A-F]{24}\.gz\n$/);
    // An incomplete line is accepted only if the complete line follows it.
    expect(await damagesOfArchive()).toEqual([
      expect.stringMatching(/^wal\/manifest is damaged in line \d+$/),
    ]);
    await writeFile(file, text.replace("0123\n", ""));
    expect(await damagesOfArchive()).toEqual([]);
  });
});

describe("npm run restore", () => {
  it("fails if the newest WAL file is missing, and reports the file and the time reached", async () => {
    const newest = (await segments()).at(-1);
    const failed = whileDamaged([path.join(archive(), String(newest))], remove, () => restoreInto("newest"));
    await expect(failed).rejects.toThrow(`wal/${newest} is missing`);
    await expect(failed).rejects.toThrow(/it ends at 20\d\d-\S+Z/);
    await expect(readdir(path.join(system.folder, "newest", "postgres"))).rejects.toThrow("ENOENT");
  }, 60_000);

  it("fails if the first WAL file that the backup needs is damaged", async () => {
    const files = (await segments()).slice(0, 2).map((name) => path.join(archive(), name));
    await expect(
      whileDamaged(files, DAMAGES.corrupted ?? remove, () => restoreInto("first")),
    ).rejects.toThrow(`wal/${firstSegment}.gz is damaged`);
  }, 60_000);

  it("restores up to a gap in the archive only if --accept-until is before the gap", async () => {
    const gap = (await segments()).at(-4) ?? "";
    await whileDamaged([path.join(archive(), gap)], remove, async () => {
      const tooLate = restoreInto("too-late", await now(system));
      await expect(tooLate).rejects.toThrow("The restore is incomplete");
      const accepted = await restoreInto("accepted", new Date(Date.now() - 86_400_000));
      expect(accepted.isSound).toBe(true);
      expect(accepted.unread).toContain(`wal/${gap} is missing`);
      expect(await paidOrdersInCopy(path.join(system.folder, "accepted"))).not.toContain(paid.at(-1));
    });
  }, 60_000);

  it("reports each file of the base backup that is missing, truncated, corrupted or swapped", async () => {
    const [name = ""] = await readdir(path.join(system.settings.backupFolder, "base"));
    const base = path.join(system.settings.backupFolder, "base", name);
    const files = [
      "data/global/pg_control",
      "data/base/1/PG_VERSION",
      "data/backup_label",
      "password",
      "backup.json",
    ];
    const failWith = (damage: Damage, ...damaged: string[]): Promise<string> => {
      const other = path.join(base, "data/postgresql.conf");
      const paths = damaged.map((file) => path.join(base, file));
      const damageEach = async () => {
        for (const file of paths) await damage(file, other);
      };
      return whileDamaged([...paths, other], damageEach, () =>
        restoreInto("base").then(
          () => "",
          ({ message }: Error) => message,
        ),
      );
    };
    for (const [kind, damage] of Object.entries(DAMAGES).slice(0, 4)) {
      // Each file is compared with the manifest separately.
      const message = await failWith(damage, ...files);
      for (const file of files) expect(message, kind).toContain(`base/${name}/${file} is `);
      // A corrupted line of the manifest makes the file that it lists look damaged.
      const accused = kind === "corrupted" ? "" : "manifest is ";
      expect(await failWith(damage, "manifest"), kind).toContain(`base/${name}/${accused}`);
    }
  }, 120_000);

  it("restores every payment when the archive is intact", async () => {
    const { isSound, unread, skipped } = await restoreInto("whole");
    expect([isSound, unread, skipped]).toEqual([true, undefined, []]);
    expect(await paidOrdersInCopy(path.join(system.folder, "whole"))).toEqual(expect.arrayContaining(paid));
  }, 60_000);
});
