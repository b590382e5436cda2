import { lstat, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { stopLeftoverServer } from "@tillgate/database/embedded";
import { getEmbeddedDataDirectory } from "../databases.js";
import { lockDataDirectory, STACK_LOCK } from "../lock.js";
import { getSystemErrorCode } from "../private-file.js";
import { StackError } from "../stack-error.js";

/**
 * Fills a new data folder under the name `<folder>.partial`, and renames it when it is complete.
 * @param fill writes the files, and stops its server before it resolves.
 * @throws StackError if the folder is a mount point or is neither new nor empty, if another process is filling it, or if there is a partial folder that
 * was not created by an earlier command. Rethrows an error of `fill` after removing its files.
 */
export async function buildFolder<Result>(
  into: string,
  fill: (folder: string) => Promise<Result>,
): Promise<Result> {
  const partial = `${into}.partial`;
  await rejectUsed(into);
  await mkdir(path.dirname(partial), { recursive: true, mode: 0o700 });
  await openPartial(partial);
  await lockDataDirectory(partial);
  try {
    await stopLeftoverServer(getEmbeddedDataDirectory(partial));
    for (const name of await readdir(partial))
      if (name !== STACK_LOCK) await rm(path.join(partial, name), { recursive: true });
    const result = await fill(partial);
    // Unlocked last, so that no other command can lock the folder and empty it.
    await rename(partial, into);
    await rm(path.join(into, STACK_LOCK));
    return result;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

/** Stops the server that a killed command left running, and removes the folder and its partial folder. */
export async function removeLeftovers(into: string): Promise<void> {
  const partial = `${into}.partial`;
  await stopLeftoverServer(getEmbeddedDataDirectory(partial));
  for (const folder of [into, partial]) await rm(folder, { recursive: true, force: true });
}

/**
 * Creates the folder, or accepts one that is empty or was left behind by a killed command. Rejects any other folder, because its files would be
 * removed.
 */
async function openPartial(partial: string): Promise<void> {
  try {
    return await mkdir(partial, { mode: 0o700 });
  } catch (error) {
    if (getSystemErrorCode(error) !== "EEXIST") throw error;
  }
  const found = await lstat(partial);
  const isOurs = found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid);
  const names = isOurs ? await readdir(partial) : [];
  if (!isOurs || (names.length > 0 && !names.some((name) => name.startsWith(STACK_LOCK))))
    throw new StackError(
      `${partial} already exists and was not created by an earlier command. Remove it, or choose another folder.`,
    );
}

async function rejectUsed(folder: string): Promise<void> {
  const found = await lstat(folder).catch((error: unknown) => {
    if (getSystemErrorCode(error) === "ENOENT") return undefined;
    throw error;
  });
  if (found === undefined) return;
  if (!found.isDirectory()) throw new StackError(`${folder} is not a folder. Choose a new folder.`);
  if ((await readdir(folder)).length > 0)
    throw new StackError(`${folder} is not empty. Choose a new folder.`);
  // A mount point cannot be replaced by renaming, and the partial folder would be on another disk.
  if (found.dev !== (await stat(path.dirname(folder))).dev)
    throw new StackError(`${folder} is a mount point. Choose a new folder in it.`);
}
