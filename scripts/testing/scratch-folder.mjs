import { chmod, mkdtemp, readdir, readFile, rm, statfs } from "node:fs/promises";
import { freemem, tmpdir } from "node:os";
import path from "node:path";

const memory = "/dev/shm";
const prefix = "tillgate-tests-";
/** A full run uses about 2 GB in the folder at a time, and its processes use about 8 GB of memory. */
const neededBytes = 4 * 1024 ** 3;
const neededMemoryBytes = 12 * 1024 ** 3;

/**
 * Creates the temporary folder of a run, in memory if there is enough: the tests create hundreds of databases by copying files, which is up
 * to ten times slower on a disk.
 * @returns {Promise<string>} the folder, which the caller removes
 */
export async function createScratchFolder() {
  const parent = (await isUsable()) ? memory : tmpdir();
  if (parent === memory) await removeAbandoned();
  const folder = await mkdtemp(path.join(parent, `${prefix}${process.pid}-`));
  // When root runs the tests, PostgreSQL runs as another user.
  await chmod(folder, 0o711);
  return folder;
}

async function isUsable() {
  try {
    const { bavail, bsize } = await statfs(memory);
    const mounts = (await readFile("/proc/self/mounts", "utf8")).split("\n").map((line) => line.split(" "));
    const [, , type, options = ""] = mounts.findLast(([, folder]) => folder === memory) ?? [];
    const runsPrograms = type === "tmpfs" && !options.split(",").includes("noexec");
    return runsPrograms && bavail * bsize >= neededBytes && freemem() >= neededMemoryBytes;
  } catch {
    return false;
  }
}

/** Removes the folders of killed runs. */
async function removeAbandoned() {
  for (const name of await readdir(memory)) {
    const pid = Number(name.match(`^${prefix}(\\d+)-`)?.[1]);
    if (pid > 0 && !isRunning(pid)) await rm(path.join(memory, name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
