import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { chooseAccount } from "./account.js";
import { writeFileFor } from "./data-copy.js";
import { ignoreMissing } from "./missing-file.js";

const ARCHIVED_SEGMENT = /^([0-9A-F]{24})\.gz$/;
/** PostgreSQL's default segment size, on which the numbers in segment names are based. */
const WAL_SEGMENT_BYTES = 16n * 1024n * 1024n;
const WAL_SEGMENTS_PER_ID = 0x1_0000_0000n / WAL_SEGMENT_BYTES;
/** Maximum number of damaged files to list. A single damaged file already stops a recovery. */
const MAX_DAMAGES = 20;

/** File that contains the name of the oldest segment that any remaining backup needs. */
const OLDEST = "oldest";

/** File that lists SHA-256 checksums of files, in the format of `sha256sum`. */
export const MANIFEST = "manifest";
const MANIFEST_LINE = /^([0-9a-f]{64}) {2}(\S.*)$/;

/** A missing or damaged file. `file` is its path in the backup folder. */
export type Damage = { file: string; cause: string };

export const archivePath = (folder: string): string => path.join(folder, "wal");

/** Creates the settings of a server that archives its WAL. The manifest tells a restore which file was archived last. */
export const createArchiveSettings = (folder: string): Record<string, string> => ({
  archive_mode: "on",
  archive_command: [
    `set -e; wal=${quoteForArchive(archivePath(folder))}; file="$wal/%f.gz"; manifest="$wal/${MANIFEST}"`,
    // A restore does not need the history file of a base backup.
    "case %f in *.backup) exit 0;; esac",
    // An existing file with other contents belongs to another database, so archiving fails.
    `if test -f "$file"; then gzip -dc "$file" | cmp -s "%p" -`,
    // Synced before the command succeeds, because PostgreSQL may then remove its own copy.
    `else gzip -nc "%p" > "$file.part"; sync "$file.part"; mv "$file.part" "$file"; sync "$wal"; fi`,
    // PostgreSQL repeats the command after a crash, so the line may already exist, completely or in part.
    `line="$(sha256sum < "$file" | cut -c -64)  %f.gz"`,
    `if ! grep -qxFs "$line" "$manifest"; then if test -n "$(tail -qc 1 "$manifest" 2>/dev/null)"; then echo >> "$manifest"; fi; ` +
      `echo "$line" >> "$manifest"; sync "$manifest" "$wal"; fi`,
    // Lines of deleted files are removed here, so that only one process writes the manifest. Retention deletes only segments.
    `oldest="$(cat "$wal/${OLDEST}" 2>/dev/null || true).gz"; stays='$2 >= oldest || $2 ~ /[.](history|partial)[.]gz$/'`,
    `if grep -qF "  $oldest" "$manifest" && awk -v oldest="$oldest" "!($stays) { found = 1; exit } END { exit !found }" "$manifest"; then ` +
      `awk -v oldest="$oldest" "$stays" "$manifest" > "$manifest.part"; sync "$manifest.part"; mv "$manifest.part" "$manifest"; sync "$wal"; fi`,
  ].join("; "),
  archive_timeout: "60s",
  wal_level: "replica",
});

/** Quotes a path for the shell of `archive_command` and `restore_command`, in which `%` introduces a placeholder. */
export const quoteForArchive = (file: string): string =>
  `'${file.replaceAll("'", "'\\''").replaceAll("%", "%%")}'`;

/** @returns the SHA-256 checksums by file name, or the number of the first damaged line. Incomplete lines left by a crash are ignored. */
export function parseManifest(text: string): Map<string, string> | { damagedLine: number } {
  const checksums = new Map<string, string>();
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    const [, checksum, name] = MANIFEST_LINE.exec(line) ?? [];
    const isLast = index === lines.length - 1;
    if (checksum !== undefined && name !== undefined && !isLast) checksums.set(name, checksum);
    // After a crash, the last line may be incomplete. The next attempt appends it again.
    else if (!isLast && !(line !== "" && lines[index + 1]?.startsWith(line)))
      return { damagedLine: index + 1 };
  }
  return checksums;
}

export async function computeChecksum(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(file)) hash.update(part);
  return hash.digest("hex");
}

/** Reads the manifest of a folder. `prefix` is prepended to the paths of reported damage. */
export async function readManifest(
  folder: string,
  prefix: string,
): Promise<{ checksums: Map<string, string>; damages: Damage[] }> {
  const file = `${prefix}/${MANIFEST}`;
  const text = await readFile(path.join(folder, MANIFEST), "utf8").catch(ignoreMissing);
  if (text === undefined) return { checksums: new Map(), damages: [{ file, cause: "missing" }] };
  const checksums = parseManifest(text);
  return checksums instanceof Map
    ? { checksums, damages: [] }
    : { checksums: new Map(), damages: [{ file, cause: `damaged in line ${checksums.damagedLine}` }] };
}

/** Compares a file with its checksum. @returns undefined if it is intact; damage to the manifest if the manifest does not list an existing file. */
export async function findDamage(
  folder: string,
  name: string,
  { checksum, prefix }: { checksum: string | undefined; prefix: string },
): Promise<Damage | undefined> {
  const actual = await computeChecksum(path.join(folder, name)).catch(ignoreMissing);
  if (actual === undefined) return { file: `${prefix}/${name}`, cause: "missing" };
  if (checksum === undefined)
    return { file: `${prefix}/${MANIFEST}`, cause: `damaged: it does not list ${name}` };
  return actual === checksum ? undefined : { file: `${prefix}/${name}`, cause: "damaged" };
}

/**
 * Checks the archived segments from `from`, the first segment that a recovery needs.
 * @returns the newest segment, and at most 20 damaged or missing files.
 */
export async function inspectArchive(
  folder: string,
  from: string,
): Promise<{ newest: string; damages: Damage[] }> {
  const archive = archivePath(folder);
  const { checksums, damages } = await readManifest(archive, "wal");
  const isManifestReadable = damages.length === 0;
  const present = (await readdir(archive).catch(ignoreMissing)) ?? [];
  const timeline = from.slice(0, 8);
  const newest = [...checksums.keys(), ...present]
    .flatMap((name) => ARCHIVED_SEGMENT.exec(name)?.[1] ?? [])
    .filter((segment) => segment.startsWith(timeline))
    .reduce((latest, segment) => (segment > latest ? segment : latest), from);
  for (
    let segment = from;
    segment <= newest && damages.length < MAX_DAMAGES;
    segment = nextSegmentName(segment)
  ) {
    const name = `${segment}.gz`;
    const checksum = checksums.get(name);
    // A file is listed only after it has appeared, so after a crash the last file may not be listed.
    const mayBeUnlisted = segment === newest || !isManifestReadable;
    if (checksum === undefined && mayBeUnlisted && present.includes(name)) continue;
    const damage = await findDamage(archive, name, { checksum, prefix: "wal" });
    if (damage && !damages.some(({ file }) => file === damage.file)) damages.push(damage);
  }
  return { newest, damages };
}

/** Returns whether a folder contains archived WAL or its manifest, even if damaged. */
export async function hasArchive(folder: string): Promise<boolean> {
  const names = (await readdir(archivePath(folder)).catch(ignoreMissing)) ?? [];
  return names.some((name) => name === MANIFEST || ARCHIVED_SEGMENT.test(name));
}

/** Returns whether the manifest lists a segment; false if the manifest is damaged or missing. */
export async function isArchived(folder: string, segment: string): Promise<boolean> {
  return (await readManifest(archivePath(folder), "wal")).checksums.has(`${segment}.gz`);
}

/** Deletes the segments before `first`. The server removes them from the manifest when it archives the next segment. */
export async function deleteSegmentsBefore(folder: string, first: string): Promise<void> {
  const archive = archivePath(folder);
  for (const name of await readdir(archive))
    if (ARCHIVED_SEGMENT.test(name) && name < first) await rm(path.join(archive, name));
  await writeFileFor(await chooseAccount(archive), path.join(archive, OLDEST), first);
}

function startOfSegment(name: string): bigint {
  return (
    (BigInt(`0x${name.slice(8, 16)}`) * WAL_SEGMENTS_PER_ID + BigInt(`0x${name.slice(16)}`)) *
    WAL_SEGMENT_BYTES
  );
}

function segmentNameAt(position: bigint, timeline: string): string {
  const number = position / WAL_SEGMENT_BYTES;
  const parts = [number / WAL_SEGMENTS_PER_ID, number % WAL_SEGMENTS_PER_ID];
  return timeline + parts.map((part) => part.toString(16).toUpperCase().padStart(8, "0")).join("");
}

const nextSegmentName = (name: string): string =>
  segmentNameAt(startOfSegment(name) + WAL_SEGMENT_BYTES, name.slice(0, 8));

/** Returns the unreadable segment at which a recovery stopped; undefined if the recovery reached the newest segment. */
export const findUnreadSegment = (position: bigint, newest: string): string | undefined =>
  position > startOfSegment(newest) ? undefined : segmentNameAt(position, newest.slice(0, 8));
